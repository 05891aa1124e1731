#include "apps/sgd/cuda_backend.cuh"

namespace lockstep::sgd {
LOCKSTEP_SGD_CUDA_LANES(float, 32, 2)
}  // namespace lockstep::sgd
