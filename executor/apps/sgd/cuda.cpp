// The choice of the CUDA backend by rank, where CUDA is compiled in.
#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/operator.hpp"

namespace lockstep::sgd {

#if defined(LOCKSTEP_HAS_CUDA)
template <int Lanes, int Chunks>
std::unique_ptr<Backend> make_cuda_backend_of(const Problem& problem,
                                              const Factors& initial);  // cuda_lanes_*.cu

std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const Factors& initial) {
    return with_lanes(problem.rank, [&]<int Lanes, int Chunks>() {
        return make_cuda_backend_of<Lanes, Chunks>(problem, initial);
    });
}
#else
std::unique_ptr<Backend> make_cuda_backend(const Problem&, const Factors&) {
    usable_device(Device::cuda, nullptr);  // throws
    return nullptr;
}
#endif

}  // namespace lockstep::sgd
