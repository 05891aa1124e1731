#include "delimiter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "text.hpp"

namespace lockstep::readers {
namespace {

struct Candidate {
    std::string text;    // empty: any number of blanks
    const char* option;  // name as a value of --delimiter
    std::vector<std::string_view> fields;
};

std::vector<std::string_view> fields_of(std::string_view line, std::string_view delimiter) {
    std::vector<std::string_view> fields;
    if (delimiter.empty()) {
        for (auto token = next_token(line); !token.empty(); token = next_token(line)) fields.push_back(token);
        return fields;
    }
    for (std::size_t at; (at = line.find(delimiter)) != std::string_view::npos;) {
        fields.push_back(trim(line.substr(0, at)));
        line.remove_prefix(at + delimiter.size());
    }
    fields.push_back(trim(line));
    return fields;
}

/// Returns whether all fields are numbers, possibly with decimal commas. If so, a blank cannot be a part of a
/// name.
bool all_numbers(const std::vector<std::string_view>& fields) {
    return std::all_of(fields.begin(), fields.end(),
                       [](auto f) { return weight_of(f) || has_decimal_comma(f); });
}

/// Returns whether the delimiter of `best` is the only possible one: its fields contain the other delimiters
/// only as decimal commas.
bool settles(const Candidate& best, const std::vector<Candidate>& all) {
    return std::all_of(best.fields.begin(), best.fields.end(), [&](std::string_view field) {
        return has_decimal_comma(field) || std::none_of(all.begin(), all.end(), [&](const Candidate& other) {
                   return !other.text.empty() && field.find(other.text) != std::string_view::npos;
               });
    });
}

}  // namespace

std::string delimiter_of(const Lines& lines, std::string_view record) {
    const std::string bare = Records().remove_quoted_fields(record);
    const std::string_view line = trim(bare);
    std::vector<Candidate> all;
    for (const auto& [text, option] :
         {std::pair{"\t", "tab"}, {",", "comma"}, {";", "semicolon"}, {"::", "::"}}) {
        if (line.find(text) != std::string_view::npos) all.push_back({text, option, fields_of(line, text)});
    }
    Candidate blanks{"", "space", fields_of(line, "")};
    const bool empty_field =
        !all.empty() && all[0].text == "\t" && std::count(all[0].fields.begin(), all[0].fields.end(), "");
    if (all.empty()) return {};
    if (all.size() > 1 && all[0].text == "\t")
        std::erase_if(all, [](const Candidate& c) { return c.text == "::"; });
    // If numbers are separated by tabs and by blanks, both are delimiters. An empty field between two tabs
    // shows that only tabs are.
    if (blanks.fields.size() > 1 && all_numbers(blanks.fields) && !empty_field) {
        std::erase_if(all, [](const Candidate& c) { return c.text == "\t"; });
        all.push_back(std::move(blanks));
    }
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
        return a.fields.size() > b.fields.size();
    });
    const Candidate& best = all[0];
    if (all.size() == 1 ||
        (best.fields.size() > all[1].fields.size() && (best.text == "\t" || settles(best, all))))
        return best.text;
    lines.fail(fmt::format(
        "both {} ({} columns) and {} ({} columns) may be the delimiter; choose with --delimiter {} or "
        "--delimiter {}",
        best.option, best.fields.size(), all[1].option, all[1].fields.size(), best.option, all[1].option));
}

}  // namespace lockstep::readers
