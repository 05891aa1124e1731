// How a program becomes one of several that mpirun has started.
#pragma once

#include <memory>

#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// What a launcher says of this process in its environment; one process where there is none.
struct Launch {
    int count = 1, rank = 0;
};
Launch launched();

/// Makes ranks() those that were started, for as long as it lives.
class StartedRanks {
public:
    /// Throws Error (usage) where there are several and the program was built without MPI.
    StartedRanks();
    ~StartedRanks();
    StartedRanks(const StartedRanks&) = delete;
    StartedRanks& operator=(const StartedRanks&) = delete;

private:
    std::unique_ptr<Ranks> ranks_;
};

}  // namespace lockstep
