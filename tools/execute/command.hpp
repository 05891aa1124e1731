// The command line of the two programs that run applications, lockstep-execute and lockstep-train.
#pragma once

#include "apps/frame/application.hpp"
#include "cli.hpp"
#include "input_options.hpp"
#include "outputs.hpp"

namespace lockstep {

/// The options of every such program, in addition to those of the application.
struct RunningOptions {
    Device device = Device::automatic;
    int threads = 0;
    std::optional<std::string> record, order, lock;
    bool trust = false, force = false;

    void list(Fields& basic, Fields& more);
};
/// Stores these options in the request, and passes the values of the application's parameters to it. Returns
/// these parameters.
Fields read_running(const RunningOptions& options, const cli::Values& values, Application& app,
                    Request& request);
/// Throws, before anything is read, if an output would overwrite an input, another output, or a file that
/// Lockstep did not write (unless `force`), or if an output and `json` would both go to standard output.
void check_files(const Application& app, const Request& request, bool force, bool json,
                 std::vector<cli::Output> outputs = {});

/// Adds the application's own options to the options of a program.
void declare(const Spec& spec, cli::Options& basic, cli::Options& more);

// The declarations below are for lockstep-execute, which runs any application.
struct ExecuteOptions {
    std::optional<std::string> file;
    const Spec* app = specs().front();
    std::string strategy = "auto";
    bool strategies = false;
    RunningOptions running;
    cli::InputOptions reading;

    void list(Fields& basic, Fields& more, Fields& input);
    /// Stores the given options. Returns the fields, which contain whether each option was given.
    Fields take(const cli::Values& values);
};
/// Describes the command line of all applications, or of one.
cli::Program execute_program(const Spec* spec = nullptr);
/// Reads the command line, and makes the application that it names. Throws UsageError, among others for options of
/// another application.
std::unique_ptr<Application> read_request(const cli::Values& values, const cli::Common& common,
                                          Request& request);

}  // namespace lockstep
