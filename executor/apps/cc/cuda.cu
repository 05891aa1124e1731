// Connected components on the GPU.
#include "lockstep/executor/structure/components.cuh"
