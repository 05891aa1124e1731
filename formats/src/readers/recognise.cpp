// Recognition of a graph or ratings among the files of an archive. It is stricter than detect(), which
// accepts any text as an edge list.
#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "header_names.hpp"

namespace lockstep::readers {
namespace {

/// Returns the first 20 lines that are neither blank nor comments, without quotes. The last line may be
/// truncated, because only the first bytes of the input are available.
std::vector<std::string> first_lines(std::string_view head) {
    constexpr std::size_t most = 20;
    if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
    std::vector<std::string> lines;
    while (!head.empty() && lines.size() < most) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        std::string line(trim(head.substr(0, end)));
        std::erase_if(line, [](char c) { return c == '"' || c == '\r'; });
        head.remove_prefix(std::min(end + 1, head.size()));
        if (!line.empty() && line[0] != '#' && line[0] != '%') lines.push_back(std::move(line));
    }
    return lines;
}

/// Returns whether the lines are edges: the first one is a header that names users, items and ratings, or all
/// lines consist of two to four numbers ("u v", "u v weight", "u v weight time"), always the same number of
/// them.
bool are_edges(const std::vector<std::string>& lines, std::string_view delimiter) {
    Fields fields;
    const auto split = [&](std::string_view line) {
        delimiter.empty() ? split_blanks(line, fields) : split_at(line, delimiter, fields);
    };
    split(lines.front());
    const std::size_t count = fields.count;
    const HeaderNames names(fields);
    if (is_known_header(fields) && names.find(Role::row) && names.find(Role::col) && names.find(Role::value))
        return true;
    if (count < 2 || count > 4) return false;
    return std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
        split(line);
        return fields.count == count && std::all_of(fields.at.begin(), fields.at.begin() + count,
                                                    [](auto field) { return weight_of(field).has_value(); });
    });
}

}  // namespace

bool is_recognised(const Input& input) {
    std::string format;
    try {
        format = detect(input).name;
    } catch (const FormatError&) {
        return false;
    }
    const std::vector<std::string> lines = first_lines(input.head());
    for (const char* certain : {"cumf-binary", "netflix", "dimacs", "gapbs-sg", "gapbs-wsg", "galois"}) {
        if (format == certain) return true;
    }
    if (format == "matrix-market")
        return lower_case(input.head().substr(0, 64)).find("coordinate") != std::string::npos;
    if (lines.empty()) return false;
    const auto delimiters = {",", ";", "\t", "::", ""};
    return std::any_of(delimiters.begin(), delimiters.end(),
                       [&](const char* delimiter) { return are_edges(lines, delimiter); }) ||
           (format == "metis" && number<EdgeId>(lines.front().substr(0, lines.front().find(' '))));
}

}  // namespace lockstep::readers
