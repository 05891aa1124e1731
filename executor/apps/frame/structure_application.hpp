// What all applications that ask for the structure of a graph share: options, repeats, the choice of a
// strategy, the record and the JSON. An application adds its ways, its reference and its check.
#pragma once

#include "apps/frame/application.hpp"
#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep {

struct StructureOptions {
    Device device = Device::automatic;
    int threads = 0;  ///< CPU threads; 0 = all
    std::uint64_t repeats = 1;
    double tune_seconds = 10;
};

struct StructureOutcome : RunOutcome {
    std::vector<ResultColumn> columns;
    std::uint64_t rounds = 0;        ///< of the way that was gone
    double preparation_seconds = 0;  ///< of the execution, where a way prepares the graph
};

class StructureApplication : public Application {
public:
    using Application::Application;

    void declare(cli::Options& basic, cli::Options& tuning) const override;
    void read(const cli::Values& values, Device device, int threads) override;
    std::uint64_t rounds() const final { return 1; }
    std::string cpu_program(const Strategy& strategy) const override {
        return strategy.schedule ? strategy.schedule : "best";
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
    using Columns = std::vector<ResultColumn>;

    /// Puts the graph onto a device, for a strategy. Throws ScheduleError where it is none for it.
    virtual structure::Runner runner(const Input& input, const Strategy& strategy, Device device,
                                     int threads) const = 0;
    /// The values of a Solution by a serial reference.
    virtual std::vector<std::uint32_t> reference(const Graph& graph) const = 0;
    /// The result by vertex of the values of a Solution. Both ends of its hash are here, not in its time.
    virtual Columns by_vertex(const Graph& graph, std::vector<std::uint32_t> values) const = 0;
    /// Why this is not the result; empty: proved, and `proof` says what is.
    virtual std::string problem(const Graph& graph, const Columns& columns) const = 0;
    virtual std::string proof() const = 0;
    /// What was found: for the JSON, and a sentence.
    virtual std::pair<nlohmann::ordered_json, std::string> summary(const Graph& graph,
                                                                   const Columns& columns) const = 0;
    /// What the rule of --strategy auto takes, and why.
    virtual std::pair<std::string, std::string> rule(const ScheduleFileSummary& file, bool gpu) const = 0;
    /// Options that the record keeps.
    virtual std::map<std::string, std::string> parameters(const Strategy&) const { return {}; }
    virtual std::uint64_t seed() const { return 0; }

    /// The undirected graph, in the order of the input's schedule, if it has one.
    static std::shared_ptr<const structure::Undirected> plan_of(const Input& input, bool weights);
    /// The same graph, in its own order, for rounds over active vertices, which `of` makes a runner of;
    /// `told` is what is made of a value, on the host.
    static structure::Runner by_rounds(const structure::Undirected& undirected,
                                       const std::function<frontier::Runner(const frontier::Expand&)>& of,
                                       const std::function<std::uint32_t(std::uint32_t)>& told = {});
    /// The same runner, which the plan lives as long as.
    static structure::Runner keeping(std::shared_ptr<const structure::Undirected> plan,
                                     structure::Runner runner);

private:
    std::unique_ptr<StructureOutcome> solve(const Input& input, const Strategy& strategy,
                                            std::uint64_t repeats, const RunCallbacks& callbacks) const;
    std::vector<std::string> candidates(const ScheduleFileSummary& file, bool any_order, bool gpu) const;

    StructureOptions options_;
};

/// The values of the first column, whole numbers.
inline const std::vector<std::uint32_t>& first_of(const std::vector<ResultColumn>& columns) {
    return std::get<std::vector<std::uint32_t>>(columns.front().values);
}

}  // namespace lockstep
