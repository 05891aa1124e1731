#include "apps/sgd/cuda_backend.cuh"

namespace lockstep::sgd {
LOCKSTEP_SGD_CUDA_LANES(4, 1)
}  // namespace lockstep::sgd
