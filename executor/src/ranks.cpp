#include "lockstep/executor/ranks.hpp"

#include <cstdlib>
#include <initializer_list>

namespace lockstep {

namespace {
Ranks alone;
Ranks* present = &alone;
}  // namespace

int launched() {
    // Open MPI sets the first variable. The PMI of MPICH, Intel MPI and Slurm sets the second one.
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        const char* const text = std::getenv(variable);
        if (const int count = text ? std::atoi(text) : 1; count > 1) return count;
    }
    return 1;
}

Ranks& ranks() { return *present; }
void work_as(Ranks* all) { present = all ? all : &alone; }

}  // namespace lockstep
