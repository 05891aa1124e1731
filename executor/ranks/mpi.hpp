// The processes of MPI_COMM_WORLD.
#pragma once

#include <memory>

#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// Starts MPI; the returned object ends MPI when it is destroyed. Throws Error (usage) if the program was
/// built without MPI.
std::unique_ptr<Ranks> make_mpi_ranks();

}  // namespace lockstep
