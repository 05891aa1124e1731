// A spanning forest of minimum weight on the GPU.
#include "lockstep/executor/structure/forest.cuh"
