// Base class of all applications that compute a structure of a graph, such as its components: run record and
// JSON. A derived class adds its algorithms, its reference and its check.
#pragma once

#include "apps/frame/graph_application.hpp"
#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep {

struct StructureOutcome : RunOutcome {
    std::uint64_t rounds = 0;        ///< number of rounds of the strategy
    double preparation_seconds = 0;  ///< the part of the execution in which the strategy prepares the graph
    std::shared_ptr<const frontier::Traversal>
        each_round;  ///< rounds of the last repeat; may be null, see StructureRunner
};

/// Runs a strategy for a structure on a device.
struct StructureRunner : structure::Runner {
    /// Rounds of the last run of a strategy over active vertices, without the values; null for other
    /// strategies
    std::shared_ptr<const frontier::Traversal> rounds;
};

class StructureApplication : public GraphApplication {
public:
    using GraphApplication::GraphApplication;

    void list(Fields& basic, Fields& more) override;
    Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const final;

protected:
    using Columns = std::vector<ResultColumn>;

    /// Copies the graph to a device, for a strategy. Throws ScheduleError if the strategy cannot run on the
    /// graph.
    virtual StructureRunner runner(const Input& input, const Strategy& strategy, Device device,
                                   int threads) const = 0;
    /// Computes the values of a Solution with a serial reference.
    virtual std::vector<std::uint32_t> reference(const Graph& graph) const = 0;
    /// Returns the result by vertex for the values of a Solution. The result hash is computed from it. The
    /// measured time does not include this call.
    virtual Columns by_vertex(const Graph&, std::vector<std::uint32_t> values) const {
        return {{spec().result, std::move(values)}};
    }
    /// Returns the reason why the columns are not the result; empty if they are right.
    virtual std::string problem(const Graph& graph, const Columns& columns) const = 0;
    /// Returns a description of the property that problem() has checked.
    virtual std::string proof() const = 0;
    /// Returns a summary of the result, as JSON and as a sentence.
    virtual std::pair<nlohmann::ordered_json, std::string> summary(const Columns& columns) const = 0;

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) final;
    Checked check(const Input& input, const RunOutcome& outcome) const final;
    nlohmann::ordered_json trial_json(const RunOutcome& outcome) const final;

    /// Returns the undirected graph, in the vertex order of the input's schedule, if there is one.
    static std::shared_ptr<const structure::Undirected> plan_of(const Input& input, bool weights);
    /// Returns the axes of a strategy's rounds. Throws UsageError if the loop is neither `host` nor
    /// `outlined`.
    structure::RoundAxes round_axes(const Strategy& strategy) const;
    /// Returns a runner by rounds over active vertices. `of` makes the runner of the rounds for the graph in
    /// its own order. `told` maps each value to the result, on the host. Throws UsageError if the graph has
    /// another order.
    static StructureRunner by_rounds(const structure::Undirected& undirected,
                                     const std::function<frontier::Runner(const frontier::Expand&)>& of,
                                     const std::function<std::uint32_t(std::uint32_t)>& told = {});
    /// Returns the runner of the device, which keeps the plan alive.
    template <class Cpu, class Gpu>
    static StructureRunner keeping(std::shared_ptr<const structure::Undirected> plan, Device device, Cpu cpu,
                                   Gpu gpu) {
        structure::Runner runner = on_device(device, cpu, gpu);
        runner.run = [plan = std::move(plan), run = std::move(runner.run)] { return run(); };
        return {std::move(runner), nullptr};
    }
};

/// Returns the values of the first column, which are integers.
inline const std::vector<std::uint32_t>& first_of(const std::vector<ResultColumn>& columns) {
    return std::get<std::vector<std::uint32_t>>(columns.front().values);
}

}  // namespace lockstep
