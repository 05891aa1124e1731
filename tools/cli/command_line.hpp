// From the words of a command line to option values.
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"

namespace lockstep::cli {

/// The values of all options, with their defaults. A blank after a comma of a list is no end of it. Throws
/// UsageError or boost::program_options::error with the name that was probably meant.
Values parse_command_line(std::vector<std::string> words, const Program& program, const Options& options,
                          const std::vector<std::string>& positional);

}  // namespace lockstep::cli
