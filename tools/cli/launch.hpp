// Whether a launcher of several processes, such as mpirun, has started this one.
#pragma once

namespace lockstep::cli {

/// What the launcher says in the environment; one process where there is none.
struct Launch {
    int count = 1, rank = 0;
};
Launch launched();

}  // namespace lockstep::cli
