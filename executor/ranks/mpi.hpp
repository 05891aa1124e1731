// The processes of MPI_COMM_WORLD.
#pragma once

#include <memory>

#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// Starts MPI, and ends it when it is destroyed. Throws Error (usage) where the program was built without
/// it.
std::unique_ptr<Ranks> make_mpi_ranks();

}  // namespace lockstep
