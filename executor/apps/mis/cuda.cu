// A maximal independent set on the GPU.
#include "lockstep/executor/structure/independent.cuh"
