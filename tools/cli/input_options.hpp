// The command-line options that say how an input file is to be read.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "cli.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::cli {

/// --format, --member, --shape, --undirected, --repeats, --rows-column, --cols-column, --value-column,
/// --time-column, --delimiter, --header, --no-input-order, --nonnegative, --memory.
void add_input_options(Options& options);

/// --feedback, --positive-from, --negatives, which go with --seed.
void add_feedback_options(Options& options, std::uint32_t least_negatives = 1);

/// What the user chose; the memory limit defaults to the physical memory. Throws UsageError.
ReadOptions input_options(const Values& values);

/// The names of those of add_input_options that were given. Their values are texts, empty where there is
/// none.
std::vector<std::string> given_input_options(const Values& values);

/// Refuses what is given of them, but for those `allowed`, where the input is the schedule file
/// `path`: its graph was read before. Throws UsageError.
void refuse_input_options(const Values& values, const std::string& path,
                          std::initializer_list<std::string_view> allowed = {"memory"});

}  // namespace lockstep::cli
