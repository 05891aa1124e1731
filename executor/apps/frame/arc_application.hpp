// What all applications along arcs share: their options, the choice of a walk, the record and the JSON. An
// application adds its operator, its parameters and its reference.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/frame/arcs.hpp"

namespace lockstep {

class ArcApplication : public Application {
public:
    using Application::Application;

    /// Those of ArcOptions, and --iterations, --output, --top, --verify.
    void declare(cli::Options& basic, cli::Options& tuning) const override;
    std::vector<std::string> gpu_options() const final { return {"warp-size", "chunk"}; }
    std::string cpu_program(const Strategy& strategy) const final;
    Choice choose(const Request& request, const cli::Common& common) const final;
    void describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const final;
    std::string workload(const RunHeader& header, const RunOutcome& so_far) const final;
    Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const final;

protected:
    virtual const ArcOptions& options() const = 0;
    virtual std::map<std::string, std::string> parameters() const { return {}; }
    /// What is to be said of a run besides.
    virtual void tell_more(const RunOutcome&, Told&) const {}
};

/// Takes what ArcApplication declares.
void read_arc_options(ArcOptions& options, const cli::Values& values, Device device, int threads);
/// --iterations, or as many as are usual.
std::uint64_t iterations_of(const cli::Values& values, std::uint64_t usual);

}  // namespace lockstep
