// Makes a program one of several processes that mpirun has started.
#pragma once

#include <memory>

#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// While it exists, ranks() returns all processes that were started.
class StartedRanks {
public:
    /// Throws Error (usage) if there are several processes and the program was built without MPI.
    StartedRanks();
    ~StartedRanks();
    StartedRanks(const StartedRanks&) = delete;
    StartedRanks& operator=(const StartedRanks&) = delete;

private:
    std::unique_ptr<Ranks> ranks_;
};

}  // namespace lockstep
