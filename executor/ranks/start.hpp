// Detects whether mpirun has started several processes of a program, and connects them.
#pragma once

#include <memory>

#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// Initializes MPI if several processes were started. As long as this object exists, ranks() returns these
/// processes.
class StartedRanks {
public:
    /// Throws Error (usage) if several processes were started, but the program was built without MPI.
    StartedRanks();
    ~StartedRanks();
    StartedRanks(const StartedRanks&) = delete;
    StartedRanks& operator=(const StartedRanks&) = delete;

private:
    std::unique_ptr<Ranks> ranks_;
};

}  // namespace lockstep
