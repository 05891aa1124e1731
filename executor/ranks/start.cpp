#include "ranks/start.hpp"

#include "launch.hpp"
#include "ranks/mpi.hpp"

namespace lockstep {

StartedRanks::StartedRanks() {
    if (cli::launched() == 1) return;
    ranks_ = make_mpi_ranks();
    detail::present_ranks = ranks_.get();
}

StartedRanks::~StartedRanks() { detail::present_ranks = &detail::single_process; }

}  // namespace lockstep
