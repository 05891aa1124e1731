#include "ranks/start.hpp"

#include "ranks/mpi.hpp"

namespace lockstep {

StartedRanks::StartedRanks() {
    if (launched() == 1) return;
    ranks_ = make_mpi_ranks();
    work_as(ranks_.get());
}

StartedRanks::~StartedRanks() { work_as(nullptr); }

}  // namespace lockstep
