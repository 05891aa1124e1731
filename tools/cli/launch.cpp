#include "launch.hpp"

#include <cstdlib>
#include <utility>

namespace lockstep::cli {

namespace {

int number_of(const char* variable, int otherwise) {
    const char* const text = std::getenv(variable);
    return text && *text ? std::atoi(text) : otherwise;
}

}  // namespace

Launch launched() {
    // Open MPI; MPICH, Intel MPI and Slurm's PMI.
    for (const auto& [size, rank] :
         {std::pair{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, std::pair{"PMI_SIZE", "PMI_RANK"}}) {
        if (const int count = number_of(size, 1); count > 1) return {count, number_of(rank, 0)};
    }
    return {};
}

}  // namespace lockstep::cli
