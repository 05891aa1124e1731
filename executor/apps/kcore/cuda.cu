// k-cores on the GPU.
#include "lockstep/executor/structure/cores.cuh"
