// The choice of the CUDA backend by rank, where CUDA is compiled in.
#include "apps/sgd/backend.hpp"
#include "apps/sgd/operator.hpp"

#if defined(LOCKSTEP_HAS_CUDA)
#include <cuda_runtime_api.h>

namespace lockstep::sgd {

template <int Lanes, int Chunks>
std::unique_ptr<Backend> make_cuda_backend_of(const Problem& problem,
                                              const Factors& initial);  // cuda_lanes_*.cu

std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const Factors& initial) {
    std::string reason;
    if (!cuda_available(&reason)) throw Error(Failure::no_device, reason);
    return with_lanes(problem.rank, [&]<int Lanes, int Chunks>() {
        return make_cuda_backend_of<Lanes, Chunks>(problem, initial);
    });
}

bool cuda_available(std::string* reason) {
    int devices = 0;
    const cudaError_t code = cudaGetDeviceCount(&devices);
    if (code == cudaSuccess && devices > 0) return true;
    *reason =
        std::string("no usable GPU: ") + (code == cudaSuccess ? "none found" : cudaGetErrorString(code));
    return false;
}

}  // namespace lockstep::sgd
#else
namespace lockstep::sgd {

std::unique_ptr<Backend> make_cuda_backend(const Problem&, const Factors&) {
    std::string reason;
    cuda_available(&reason);
    throw Error(Failure::no_device, reason);
}

bool cuda_available(std::string* reason) {
    *reason = "the CUDA backend was not compiled in (no CUDA compiler was found when this program was built)";
    return false;
}

}  // namespace lockstep::sgd
#endif
