// HTML text: escaping, tables, code.
#pragma once

#include <string>
#include <string_view>

#include "columns.hpp"

namespace lockstep::report {

/// Text for HTML and SVG, in element content and in quoted attributes. Bytes that are not UTF-8 and
/// control characters are replaced.
std::string escape(std::string_view text);

/// A table that scrolls sideways in a narrow window; `caption` is read out, not shown.
std::string table_html(const Cells& cells, const std::string& caption);

}  // namespace lockstep::report
