#include "lockstep/executor/update/run.cuh"
#include "updates.hpp"

namespace lockstep::test {

template <update::Update U>
std::optional<EdgeId> sweep_on_gpu(update::Run<U>& run, const Graph& graph, const Strategy& strategy,
                                   const Schedule* schedule, const update::ParametersOf<U>& parameters,
                                   int sweeps) {
    try {
        update::DeviceRun<U> device(graph, strategy, schedule);
        device.vertices = run.vertices, device.cols = run.cols, device.set_edges(run.edges());
        EdgeId updates = 0;
        for (int i = 0; i < sweeps; ++i) updates += device.sweep(parameters).updates;
        device.gather();
        run.vertices = device.vertices, run.cols = device.cols, run.set_edges(device.edges());
        return updates;
    } catch (const ScheduleError&) {  // the plan does not fit in shared memory
        return {};
    }
}

template std::optional<EdgeId> sweep_on_gpu(update::Run<Flow>&, const Graph&, const Strategy&,
                                            const Schedule*, const update::ParametersOf<Flow>&, int);
template std::optional<EdgeId> sweep_on_gpu(update::Run<Trade>&, const Graph&, const Strategy&,
                                            const Schedule*, const update::ParametersOf<Trade>&, int);
template std::optional<EdgeId> sweep_on_gpu(update::Run<Spring>&, const Graph&, const Strategy&,
                                            const Schedule*, const update::ParametersOf<Spring>&, int);

}  // namespace lockstep::test
