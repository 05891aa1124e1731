// Full stress on the GPU.
#include "lockstep/executor/layout/tournament.cuh"
