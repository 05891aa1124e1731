// How many threads the programs start, and how these wait for one another.
#pragma once

namespace lockstep::cli {

/// To be called before all else: may start the program once more, with the same arguments. Threads that wait
/// spin for microseconds and then sleep, and there are as many as the processors that the process may use:
/// by affinity, and by the CPU quota of its container. OMP_NUM_THREADS and GOMP_SPINCOUNT overrule.
void prepare_threads(char** argv);

}  // namespace lockstep::cli
