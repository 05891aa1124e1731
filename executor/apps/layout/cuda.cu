// Graph drawing on a GPU: includes the kernels for all pairs of vertices, and for pivots.
#include "lockstep/executor/layout/pivots.cuh"
#include "lockstep/executor/layout/tournament.cuh"
