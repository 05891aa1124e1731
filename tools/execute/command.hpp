// The command line of a program that runs an application: lockstep-execute, lockstep-train.
#pragma once

#include "apps/frame/application.hpp"
#include "cli.hpp"
#include "outputs.hpp"

namespace lockstep {

// Options of every such program.
void declare_running(cli::Options& basic);  ///< --device, --threads, --record
void declare_order(cli::Options& tuning);   ///< --order, --trust, --lock
/// Takes them; the application takes its own.
void read_running(const cli::Values& values, Application& app, Request& request);
/// Refuses what is written over an input, over another output or over a file of somebody else, before
/// anything is read.
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
