#include "lockstep/formats/id_text.hpp"

namespace lockstep {
namespace {

/// Returns whether readers of edge lists read the ID unchanged, as one field of an edge, even if it is at the
/// start of a line.
bool is_plain(std::string_view id) {
    constexpr std::string_view begins_comment_or_json_or_page = "#%{[<", arrows = "-<>=:|";
    return !id.empty() && begins_comment_or_json_or_page.find(id[0]) == id.npos &&
           id.find_first_of(" \t\",;") == id.npos && id.find("::") == id.npos &&
           id.find_first_not_of(arrows) != id.npos && id != "p" && !id.starts_with("PAR1") &&
           !id.starts_with("BZh");
}

bool has_blank(const IdMap& ids) {
    const auto* strings = std::get_if<StringIds>(&ids.ids());
    return strings && strings->bytes.find(' ') != std::string::npos;
}

}  // namespace

char field_separator(const IdMap& first, const IdMap& second) {
    return has_blank(first) || has_blank(second) ? '\t' : ' ';
}

std::string id_field(std::string_view id) {
    if (is_plain(id)) return std::string(id);
    std::string quoted = "\"";
    for (const char c : id) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

}  // namespace lockstep
