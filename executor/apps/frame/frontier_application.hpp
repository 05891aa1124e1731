// What all applications over active vertices share: sources, paths, the record and the JSON. An application
// adds its operator, its reference and its check.
#pragma once

#include "apps/frame/graph_application.hpp"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep {

/// The traversal from one source.
struct FromSource {
    VertexId source = 0;
    double seconds = 0;    ///< median over the repeats
    VertexId reached = 0;  ///< vertices, the source included
    EdgeId edges = 0;      ///< out of reached vertices; of an undirected graph each once
    std::uint64_t rounds = 0;
};

struct FrontierOutcome : RunOutcome {
    std::vector<FromSource> sources;
    // The columns and these members belong to the first source:
    std::vector<frontier::Round> rounds;
    frontier::Totals totals;
    std::vector<VertexId> path;  ///< to --path-to; empty: there is none

    std::string problem;  ///< what --verify found, of any source
};

class FrontierApplication : public GraphApplication {
public:
    using GraphApplication::GraphApplication;

    void list(Fields& basic, Fields& more) override;
    void settle(const Fields& given, Request& request, int threads) override;
    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const final;
    Checked check(const Input& input, const RunOutcome& outcome) const final;
    Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const final;

protected:
    /// The operator's, which FrontierPlan and axes are made for.
    virtual bool weighted() const { return false; }

    /// Puts the operator that suits the graph and its plan onto a device. Throws FormatError where the graph
    /// is none that it can run on.
    virtual frontier::Runner runner(const Input& input, Device device, const frontier::FrontierPlan& plan,
                                    const frontier::Axes& axes, int threads) const = 0;
    /// The same by a serial reference.
    virtual frontier::Values reference(const Graph& graph, VertexId source) const = 0;
    /// Why these are not the values from `source`; empty: proved.
    virtual std::string problem(const Graph& graph, VertexId source,
                                const frontier::Values& values) const = 0;
    /// The vertices of a way of these values with the fewest arcs; empty where there is none.
    virtual std::vector<VertexId> path(const Graph& graph, const frontier::Values& values, VertexId source,
                                       VertexId target) const = 0;
    /// More columns of the result, made of the values.
    virtual std::vector<ResultColumn> more_columns(const Graph&, VertexId /*source*/,
                                                   const frontier::Values&) const {
        return {};
    }

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) final;
    /// Few arcs at every vertex mean many small rounds, many at some few large ones. On a CPU, whose ways are
    /// its own, the generic strategy with every way.
    Rule rule(const ScheduleFileSummary& file, bool gpu) const final;
    bool suits(const Strategy& strategy) const final;
    nlohmann::ordered_json trial_json(const RunOutcome& outcome) const final;
    std::vector<std::string> axes() const final { return all_axes(); }
    std::map<std::string, std::string> parameters() const final;
    std::uint64_t seed() const final { return seed_; }

private:
    /// The request of one run, for its graph.
    struct Asked {
        std::vector<VertexId> sources;
        std::optional<VertexId> target;
        bool verify = false;
    };
    Asked asked_of(const Input& input, bool trial) const;
    /// What the values from a source come to.
    void add(const Graph& graph, frontier::Traversal traversal, FromSource from, const Asked& asked,
             FrontierOutcome& outcome) const;

    std::optional<std::string> source_, path_to_;  ///< original ids
    std::uint64_t sources_ = 1, seed_ = 1;         ///< without a source: so many, drawn
};

}  // namespace lockstep
