// Base class of all applications over active vertices: sources, paths, run record and JSON. A derived class
// adds its operator, its reference and its check.
#pragma once

#include "apps/frame/graph_application.hpp"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep {

/// Measurements of the traversal from one source.
struct FromSource {
    VertexId source = 0;
    double seconds = 0;    ///< median time over the repeats
    VertexId reached = 0;  ///< number of vertices reached, including the source
    EdgeId edges = 0;      ///< number of edges from reached vertices; undirected edges count once
    std::uint64_t rounds = 0;
};

struct FrontierOutcome : RunOutcome {
    std::vector<FromSource> sources;
    // The columns and the next three members belong to the first source.
    std::vector<frontier::Round> rounds;
    frontier::Totals totals;
    std::vector<VertexId> path;  ///< path to --path-to; empty: there is none

    std::string problem;  ///< first error that --verify found, for any source
};

class FrontierApplication : public GraphApplication {
public:
    using GraphApplication::GraphApplication;

    void list(Fields& basic, Fields& more) override;
    void settle(const Fields& given, Request& request, int threads) override;
    Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const final;

protected:
    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const final;
    Checked check(const Input& input, const RunOutcome& outcome) const final;
    /// Returns true if the operator uses weights, so that the plan must have them.
    virtual bool weighted() const { return false; }

    /// Returns the runner on a device of the operator that fits the graph and its plan. Throws FormatError if
    /// the application cannot run on this graph.
    virtual frontier::Runner runner(const Input& input, Device device, const frontier::FrontierPlan& plan,
                                    const frontier::Axes& axes, int threads) const = 0;
    /// Computes the values from `source` with a serial reference.
    virtual frontier::Values reference(const Graph& graph, VertexId source) const = 0;
    /// Returns the reason why `values` are not those from `source`; empty if they are right.
    virtual std::string problem(const Graph& graph, VertexId source,
                                const frontier::Values& values) const = 0;
    /// Returns the vertices of a path with the fewest arcs among those with these values; empty if there is
    /// none.
    virtual std::vector<VertexId> path(const Graph& graph, const frontier::Values& values, VertexId source,
                                       VertexId target) const = 0;
    /// Returns additional columns of the result, computed from the values.
    virtual std::vector<ResultColumn> more_columns(const Graph&, VertexId /*source*/,
                                                   const frontier::Values&) const {
        return {};
    }

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) final;
    /// Chooses by the degrees: if all are small, a traversal has many small rounds; if some are large, it has
    /// few large rounds. On a CPU, chooses the generic strategy with both directions.
    Rule rule(const ScheduleFileSummary& file, bool gpu) const final;
    bool suits(const Strategy& strategy) const final;
    nlohmann::ordered_json trial_json(const RunOutcome& outcome) const final;
    std::vector<std::string> axes() const final { return all_axes(); }
    std::map<std::string, std::string> parameters() const final;
    std::uint64_t seed() const final { return seed_; }

private:
    /// The sources and the target of one run, as vertices of its graph.
    struct Asked {
        std::vector<VertexId> sources;
        std::optional<VertexId> target;
        bool verify = false;
    };
    Asked asked_of(const Input& input, bool trial) const;
    /// Adds the traversal from one source to the outcome: measurements and check; for the first source also
    /// the columns and the path.
    void add(const Graph& graph, frontier::Traversal traversal, FromSource from, const Asked& asked,
             FrontierOutcome& outcome) const;

    std::optional<std::string> source_, path_to_;  ///< original ids
    /// Number of sources that are drawn if --source is not given, and the seed
    std::uint64_t sources_ = 1, seed_ = 1;
};

}  // namespace lockstep
