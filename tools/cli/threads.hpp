// The number of threads of the programs, and how the threads wait for one another.
#pragma once

namespace lockstep::cli {

/// Sets up the threads. It must be called first, since it may restart the program with the same arguments.
/// Waiting threads spin for microseconds and then sleep. Their number is the number of processors that the
/// process may use, limited by affinity and by the CPU quota of its container. OMP_NUM_THREADS and
/// GOMP_SPINCOUNT take precedence.
void prepare_threads(char** argv);

}  // namespace lockstep::cli
