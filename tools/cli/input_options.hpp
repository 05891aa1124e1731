// The command-line options that specify how an input file is read.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "cli.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::cli {

/// Adds --format, --member, --shape, --undirected, --repeats, --rows-column, --cols-column, --value-column,
/// --time-column, --delimiter, --header, --no-input-order, --nonnegative, --memory.
void add_input_options(Options& options);

/// Adds --feedback, --positive-from and --negatives. They use the option --seed, which the program must
/// declare.
void add_feedback_options(Options& options, std::uint32_t least_negatives = 1);

/// Returns the reading options of the command line; the memory limit defaults to the physical memory. Throws
/// UsageError.
ReadOptions input_options(const Values& values);

/// Returns the names of the input options that were given. Their values are strings, empty for an option
/// without a value.
std::vector<std::string> given_input_options(const Values& values);

/// Throws UsageError if an input option other than those `allowed` is given although the input is the
/// schedule file `path`, whose graph was read before.
void refuse_input_options(const Values& values, const std::string& path,
                          std::initializer_list<std::string_view> allowed = {"memory"});

}  // namespace lockstep::cli
