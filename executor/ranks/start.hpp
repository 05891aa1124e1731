// How a program becomes one of several that mpirun has started.
#pragma once

#include <memory>

#include "lockstep/executor/ranks.hpp"

namespace lockstep {

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
