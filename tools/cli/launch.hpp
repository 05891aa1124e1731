// Whether a launcher of several processes, such as mpirun, has started this one.
#pragma once

namespace lockstep::cli {

/// How many a launcher says in the environment, to its processes and to all that they start; 1 without one.
int launched();

/// What to do where there is none.
inline constexpr const char* launched_alone =
    "where a process of mpirun has started this one alone, unset OMPI_COMM_WORLD_SIZE and PMI_SIZE";

}  // namespace lockstep::cli
