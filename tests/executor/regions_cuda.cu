// Runs the walk of regions for its tests.
#include "apps/bfs.hpp"
#include "apps/sssp.hpp"
#include "lockstep/executor/frontier/run.cuh"
#include "regions_on_gpu.hpp"

namespace lockstep::test {

template <class Op>
std::vector<frontier::Values> walk_regions(const frontier::RegionLayout& layout, VertexId source,
                                           const RegionTrial& trial, int repeats) {
    frontier::regions_gpu::RegionTuning tuning;
    tuning.window = trial.window;
    tuning.rounds = trial.rounds;
    tuning.max_workers = trial.max_workers;
    tuning.checked = true;
    frontier::regions_gpu::RegionsOnDevice<Op> device(layout, Op(), tuning);
    std::vector<frontier::Values> all;
    for (int i = 0; i < repeats; ++i) {
        device.launch_from(source);
        all.emplace_back(device.values());
    }
    return all;
}

#define LOCKSTEP_WALK(Op)                                                                            \
    template std::vector<frontier::Values> walk_regions<Op>(const frontier::RegionLayout&, VertexId, \
                                                            const RegionTrial&, int)
LOCKSTEP_WALK(bfs::Levels);
LOCKSTEP_WALK(sssp::Distances<std::uint32_t>);
LOCKSTEP_WALK(sssp::Distances<float>);

}  // namespace lockstep::test
