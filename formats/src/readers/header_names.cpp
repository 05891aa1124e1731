#include "header_names.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace lockstep::readers {
namespace {

using Words = std::initializer_list<std::string_view>;

struct Meaning {
    Role role;
    // Complete names in lower case, without "_", "-", "." and blanks. A name may also have the suffix "id".
    Words whole;
    Words part;  // words that a name may contain
};

/// The names of columns that are recognised. Complete names take precedence over parts of names, and the
/// first match counts. Short words must match the complete name, because a part such as "to" also occurs in
/// "customer".
const Meaning meanings[] = {
    {Role::time, {"timestamp", "time", "date", "datetime", "ts"}, {"time", "date"}},
    {Role::value,
     {"rating", "ratings", "score", "stars", "star", "weight", "value", "overall", "count", "counts", "plays",
      "playcount", "sentiment"},
     {"rating", "weight", "score", "value", "stars"}},
    {Role::row,
     {"user", "u", "reviewer", "customer", "source", "row", "src", "from"},
     {"user", "reviewer", "customer", "source"}},
    {Role::col,
     {"item",   "iid",   "movie", "film", "book",    "product",  "artist",   "track",
      "song",   "anime", "game",  "joke", "target",  "asin",     "isbn",     "col",
      "column", "dst",   "to",    "v",    "article", "business", "candidate"},
     {"item", "movie", "book", "product", "artist", "track", "song", "anime", "game", "joke", "target"}},
};

bool any(const Words& words, const auto& test) { return std::any_of(words.begin(), words.end(), test); }

/// Returns a name without separators, such as "userid" for "user_id".
std::string letters(std::string name) {
    std::erase_if(name, [](char c) { return c == '_' || c == '-' || c == '.' || c == ' '; });
    return name;
}

}  // namespace

HeaderNames::HeaderNames(const Fields& names) {
    for (std::size_t i = 0; i < std::min(names.count, names.at.size()); ++i) {
        const std::string lower = lower_case(names.at[i]), whole = letters(lower);
        // pandas and R write row numbers as a first column without a name.
        if (i == 0 && (lower.empty() || lower == "index" || lower.starts_with("unnamed: 0"))) {
            roles_[i] = Role::index;
            continue;
        }
        const std::string_view id = whole.size() > 2 && whole.ends_with("id") ? "id" : "";
        const std::string_view stem = std::string_view(whole).substr(0, whole.size() - id.size());
        const auto is_whole = [&](const Meaning& m) {
            return any(m.whole, [&](auto word) { return whole == word || stem == word; });
        };
        const auto has_part = [&](const Meaning& m) {
            return any(m.part, [&](auto word) { return lower.find(word) != lower.npos; });
        };
        const auto end = std::end(meanings);
        auto meaning = std::find_if(std::begin(meanings), end, is_whole);
        exact_[i] = meaning != end;
        if (meaning == end) meaning = std::find_if(std::begin(meanings), end, has_part);
        if (meaning != end) roles_[i] = meaning->role;
    }
}

std::size_t HeaderNames::count(Role role, bool exact) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < roles_.size(); ++i) count += roles_[i] == role && (exact_[i] || !exact);
    return count;
}

std::optional<std::size_t> HeaderNames::find(Role role) const {
    if (!has(role) || is_ambiguous(role)) return std::nullopt;
    const bool exact = count(role, true) == 1;
    for (std::size_t i = 0;; ++i) {
        if (roles_[i] == role && (exact_[i] || !exact)) return i;
    }
}

}  // namespace lockstep::readers
