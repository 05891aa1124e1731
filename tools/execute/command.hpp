// The command line of the programs that run an application: lockstep-execute and lockstep-train.
#pragma once

#include "apps/frame/application.hpp"
#include "cli.hpp"
#include "outputs.hpp"

namespace lockstep {

// The functions below declare and read the options of every such program.
void declare_running(cli::Options& basic);  ///< adds --device, --threads, --record
void declare_order(cli::Options& tuning);   ///< adds --order, --trust, --lock
/// Stores these options in the request, and passes the options of the application to it.
void read_running(const cli::Values& values, Application& app, Request& request);
/// Throws, before anything is read, if an output would overwrite an input, another output, or a file that
/// Lockstep did not write.
void check_files(const cli::Values& values, const Application& app, const Request& request,
                 std::vector<cli::Output> outputs = {});

/// Adds the options of an application.
void declare(const Spec& spec, cli::Options& basic, cli::Options& more);

// The functions below are for lockstep-execute, which runs any application.
/// Describes the command line of all applications, or of one.
cli::Program execute_program(const Spec* spec = nullptr);
/// Reads the command line, and makes the application that it names. Throws UsageError, among others for options of
/// another application.
std::unique_ptr<Application> read_request(const cli::Values& values, Request& request);

}  // namespace lockstep
