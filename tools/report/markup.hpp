// HTML: escaped text, tables, code.
#pragma once

#include <string>
#include <string_view>

#include "columns.hpp"

namespace lockstep::report {

/// Escapes text for HTML and SVG, for element content and for quoted attributes. Bytes that are not UTF-8 and
/// control characters are replaced.
std::string escape(std::string_view text);

/// Returns a table that scrolls horizontally in a narrow window; `caption` is for screen readers and not
/// visible.
std::string table_html(const Cells& cells, const std::string& caption);

}  // namespace lockstep::report
