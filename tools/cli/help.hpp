// What --help and --help-all show.
#pragma once

#include <string>
#include <string_view>

#include "cli.hpp"

namespace lockstep::cli {

/// The page of a program, in lines of `width` columns: usage, examples and its basic options, each with what
/// its description begins with; or `all` there is to say.
std::string help_page(const Program& program, const Options& common, bool all, std::size_t width);

/// COLUMNS, else what the terminal has that standard output goes to, else 80.
std::size_t page_width();

/// `text` in lines of at most `width` columns, as far as its words allow. A line goes on where it began, or,
/// of "  name   text", below its text.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace lockstep::cli
