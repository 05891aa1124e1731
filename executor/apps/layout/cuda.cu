// Layouts on the GPU: all pairs, and pivots.
#include "lockstep/executor/layout/pivots.cuh"
#include "lockstep/executor/layout/tournament.cuh"
