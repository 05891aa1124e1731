// A spanning forest of least weight on the GPU.
#include "lockstep/executor/structure/forest.cuh"
