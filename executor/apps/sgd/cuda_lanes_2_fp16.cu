#include "apps/sgd/cuda_backend.cuh"

namespace lockstep::sgd {
LOCKSTEP_SGD_CUDA_LANES(Half, 2, 1)
}  // namespace lockstep::sgd
