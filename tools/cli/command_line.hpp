// Parsing of a command line into option values.
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"

namespace lockstep::cli {

/// Returns the values of all options, including defaults. A blank after a comma does not end a list. Throws
/// UsageError or boost::program_options::error, with a suggestion for the name that was probably meant.
Values parse_command_line(std::vector<std::string> words, const Program& program, const Options& options,
                          const std::vector<std::string>& positional);

}  // namespace lockstep::cli
