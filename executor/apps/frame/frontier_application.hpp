// What all applications over active vertices share: the options of the axes, sources, repeats, paths, the
// record and the JSON. An application adds its operator, its reference and its check.
#pragma once

#include "apps/frame/axis_options.hpp"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep {

/// What every application over active vertices can be told.
struct FrontierOptions {
    Device device = Device::automatic;
    int threads = 0;  ///< CPU threads; 0 = all
    GivenAxes axes;
    std::optional<std::string> source, path_to;  ///< original ids
    std::uint64_t sources = 1, seed = 1, repeats = 1;
    bool verify = false;
    double tune_seconds = 10;
};

/// From one source.
struct FromSource {
    VertexId source = 0;
    double seconds = 0;    ///< median over the repeats
    VertexId reached = 0;  ///< vertices, the source included
    EdgeId edges = 0;      ///< out of reached vertices; of an undirected graph each once
    std::uint64_t rounds = 0;
};

struct FrontierOutcome : RunOutcome {
    frontier::Axes axes;
    std::vector<FromSource> sources;
    // Of the first source:
    std::vector<ResultColumn> columns;
    std::vector<frontier::Round> rounds;
    frontier::Totals totals;
    std::vector<VertexId> path;  ///< to --path-to; empty: there is none

    std::string problem;  ///< what --verify found, of any source
};

class FrontierApplication : public Application {
public:
    using Application::Application;

    void declare(cli::Options& basic, cli::Options& tuning) const override;
    void read(const cli::Values& values, Device device, int threads) override;
    std::uint64_t rounds() const final { return options_.sources; }
    std::vector<std::string> gpu_options() const final { return gpu_axes(); }
    std::string cpu_program(const Strategy& strategy) const final {
        return cpu_program_of(strategy, options_.axes, by_priority());
    }
    Choice choose(const Request& request, const cli::Common& common) const final;
    Choice tune(const Request& request, const cli::Common& common) const final;
    std::unique_ptr<RunOutcome> run(const Input& input, const RunCallbacks& callbacks) const final;
    void describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const final;
    std::string workload(const RunHeader& header, const RunOutcome& so_far) const final;
    Checked check(const Input& input, const RunOutcome& outcome) const final;
    std::vector<ResultColumn> columns(const RunOutcome& outcome) const final;
    Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const final;

protected:
    /// The operator's, which FrontierPlan and axes are made for.
    virtual bool weighted() const = 0;
    virtual bool by_priority() const = 0;
    virtual const char* column() const = 0;  ///< of the values: "levels"

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

private:
    std::unique_ptr<FrontierOutcome> traverse(const Input& input, const Strategy& strategy,
                                              const FrontierOptions& options,
                                              const RunCallbacks& callbacks) const;
    frontier::Traversal timed_reference(const Graph& graph, VertexId source) const;

    FrontierOptions options_;
};

}  // namespace lockstep
