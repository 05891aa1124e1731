// The choice of the CUDA backend, where CUDA is compiled in.
#include "apps/device.hpp"
#include "apps/pagerank/backend.hpp"

namespace lockstep::pagerank {

#if defined(LOCKSTEP_HAS_CUDA)
std::unique_ptr<Backend> make_direct_backend(const Problem& problem);    // cuda_direct.cu
std::unique_ptr<Backend> make_prepared_backend(const Problem& problem);  // cuda_prepared.cu

std::unique_ptr<Backend> make_cuda_backend(const Problem& problem) {
    return problem.plan.prepared ? make_prepared_backend(problem) : make_direct_backend(problem);
}
#else
std::unique_ptr<Backend> make_cuda_backend(const Problem&) {
    usable_device(Device::cuda, nullptr);  // throws
    return nullptr;
}
#endif

}  // namespace lockstep::pagerank
