// The implementation of Ranks (several processes that run together) with MPI. Its processes are those of
// MPI_COMM_WORLD.
#pragma once

#include <memory>

#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// Initializes MPI. The destructor of the returned object finalizes MPI. Throws Error (usage) if the program
/// was built without MPI.
std::unique_ptr<Ranks> make_mpi_ranks();

}  // namespace lockstep
