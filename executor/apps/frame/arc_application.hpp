// What all applications along arcs share: their options, the choice of a walk, the record and the JSON. An
// application adds its operator, its parameters and its reference.
#pragma once

#include "apps/frame/arc_check.hpp"
#include "apps/frame/arcs.hpp"
#include "apps/frame/graph_application.hpp"

namespace lockstep {

class ArcApplication : public GraphApplication {
public:
    using GraphApplication::GraphApplication;

    /// Lists those of ArcOptions, and --iterations, --output, --top, --verify.
    void list(Fields& basic, Fields& more) override;
    void settle(const Fields& given, const Request& request, int threads) override;
    std::vector<std::string> gpu_options() const final { return {"warp-size", "chunk", "launch-rounds"}; }
    /// Strategies; then, on a GPU and while there is time, sizes and chunks of virtual warps.
    Choice tune(const Request& request, const cli::Common& common) final;
    void describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const final;
    std::vector<ResultColumn> columns(const RunOutcome& outcome) const final {
        return {{spec().result, values_of(outcome)}};
    }
    Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const final;

protected:
    static const std::vector<float>& values_of(const RunOutcome& outcome) {
        return static_cast<const ArcRun&>(outcome).values;
    }
    /// What was found, as --verify says it.
    static Checked checked(const ArcCheck& check);
    Rule rule(const ScheduleFileSummary& file, bool gpu) const final;
    bool suits(const Strategy& strategy) const final;
    std::string task() const override;
    /// Those of a run: a `trial`'s, with the shape of virtual warps that --strategy tune has found.
    ArcOptions options_of(const Strategy& strategy, bool trial) const;
    /// What is to be said of a run besides.
    virtual void tell_more(const RunOutcome&, Told&) const {}

    ArcOptions arc_options_;
    std::optional<std::uint64_t> iterations_;  ///< if they are given

private:
    bool has_shape() const { return arc_options_.warp_size || arc_options_.chunk != 1; }
    void tune_shapes(const Request& request, const cli::Common& common, double seconds, Choice& choice);

    std::optional<arc::VirtualWarps> tuned_;  ///< by tune(), for the run that follows
};

}  // namespace lockstep
