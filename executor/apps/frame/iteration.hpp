// Base class of all applications along arcs: options, choice of a walk, run record and JSON. A derived class
// adds its operator, its parameters and its reference.
#pragma once

#include "apps/frame/arcs.hpp"
#include "apps/frame/graph_application.hpp"
#include "apps/frame/iteration_fwd.hpp"

namespace lockstep {

class ArcApplication : public GraphApplication {
public:
    using GraphApplication::GraphApplication;

    /// Lists the parameters in ArcOptions, and --iterations, --output, --top and --verify.
    void list(Fields& basic, Fields& more) override;
    void settle(const Fields& given, Request& request, int threads) override;
    /// Tries the strategies first, if `by_trial`. On a GPU, uses the rest of the time to try sizes and chunks of
    /// virtual warps.
    Choice choose(const Request& request, const Common& common, bool by_trial) final;
    Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const final;

protected:
    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const final;
    static const std::vector<float>& values_of(const RunOutcome& outcome) {
        return std::get<std::vector<float>>(outcome.columns.front().values);
    }
    /// Returns the outcome of a run, with its values moved to the column of the result.
    template <class Outcome>
    std::unique_ptr<RunOutcome> with_column(Outcome run) const {
        auto outcome = std::make_unique<Outcome>(std::move(run));
        outcome->columns = {{spec().result, std::move(outcome->values)}};
        return outcome;
    }
    /// Returns the maximum number of rounds.
    virtual std::uint64_t rounds() const = 0;
    /// Returns the result of a check as --verify reports it.
    static Checked checked(const ArcCheck& check);
    Rule rule(const ScheduleFileSummary& file, bool gpu) const final;
    bool suits(const Strategy& strategy) const final;
    std::string task() const override;
    /// Returns the options of one run. They include the shape of virtual warps that --strategy tune has
    /// found; a `trial` has its own number of repeats.
    ArcOptions options_of(const Strategy& strategy, bool trial) const;
    /// Adds the derived class's part to the report of a run.
    virtual void tell_more(const RunOutcome&, Told&) const {}

    ArcOptions arc_options_;
    std::optional<std::uint64_t> iterations_;  ///< --iterations, if given

private:
    bool has_shape() const { return arc_options_.warp_size || arc_options_.chunk != 1; }
    void tune_shapes(const Request& request, const Common& common, double seconds, Choice& choice);

    /// Shape of virtual warps that a trial has found, for the next run
    std::optional<arc::VirtualWarps> tuned_;
};

}  // namespace lockstep
