// The choice of the CUDA backend by storage and rank, where CUDA is compiled in.
#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/operator.hpp"

namespace lockstep::sgd {

#if defined(LOCKSTEP_HAS_CUDA)
template <class Element, int Lanes, int Chunks>
std::unique_ptr<Backend> make_cuda_backend_of(const Problem& problem,
                                              const Factors& initial);  // cuda_lanes_*.cu

std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const Factors& initial) {
    return with_element(problem.storage, [&]<class Element>() {
        return with_lanes(problem.rank, [&]<int Lanes, int Chunks>() {
            return make_cuda_backend_of<Element, Lanes, Chunks>(problem, initial);
        });
    });
}
#else
std::unique_ptr<Backend> make_cuda_backend(const Problem&, const Factors&) {
    usable_device(Device::cuda, nullptr);  // throws
    return nullptr;
}
#endif

}  // namespace lockstep::sgd
