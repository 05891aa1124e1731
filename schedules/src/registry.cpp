#include <array>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

namespace {
// Working memory of the builders: the arrays they hold at their peak, the schedule included, for graphs
// of fewer than 2^32 edges (from there on, 8 bytes more).
constexpr std::array registry{
    Builder{"agm-e", "all-graph matchings, edge-parallel: one maximal matching after another", build_agm_e,
            20},
    Builder{"agm-n", "all-graph matchings, node-parallel: blocks of T items kept on chip", build_agm_n, 28},
    Builder{"sgm", "sub-graph matchings: blocks of T items by degree, matchings of each block", build_sgm,
            29},
    Builder{"diag", "diagonals: edges of equal row - column", build_diag, 20},
    Builder{"blkdiag", "block-diagonals: R x C blocks, one worker a block", build_blkdiag, 20},
    Builder{"tiled", "tiles of item x user blocks, star forests inside: items on chip, users on their way",
            build_tiled, 24},
    Builder{"shuffle", "random edge order, for EL", build_shuffle, 18},
    Builder{"el-sgm", "hub items first (to run under locks), the rest as SGM", build_el_sgm, 29},
    Builder{"degree", "vertices by decreasing degree", build_degree, 0},
    Builder{"metis", "vertices by METIS part", build_metis, 40},
};
}  // namespace

std::span<const Builder> builders() { return registry; }

const Builder& find_builder(const std::string& name) {
    std::string known;
    for (const Builder& builder : registry) {
        if (name == builder.name) return builder;
        known += std::string(known.empty() ? "" : ", ") + builder.name;
    }
    throw ScheduleError("there is no schedule \"" + name + "\"; known are " + known + ", and all",
                        Failure::usage);
}

}  // namespace lockstep
