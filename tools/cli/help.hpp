// The output of --help and --help-all.
#pragma once

#include <string>
#include <string_view>

#include "cli.hpp"

namespace lockstep::cli {

/// Returns the help page of a program in lines of `width` columns. It has the usage, the examples and the
/// basic options, each with the beginning of its description; with `all`, it has everything.
std::string help_page(const Program& program, const Options& common, bool all, std::size_t width);

/// Returns the number of columns: COLUMNS if set, else the width of the terminal on standard output, else 80.
std::size_t page_width();

/// Wraps `text` to lines of at most `width` columns, unless a word is longer. A continuation line has the
/// indent of its line, or, for "  name   text", the indent of the text.
std::string wrap_text(std::string_view text, std::size_t width);

}  // namespace lockstep::cli
