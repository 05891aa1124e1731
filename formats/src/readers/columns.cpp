#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "unicode.hpp"

namespace lockstep::readers {
namespace {

struct Candidate {
    std::string text;    // empty: any number of blanks
    const char* option;  // name as a value of --delimiter
    Fields fields;
};

Candidate split_candidate(std::string_view line, const char* delimiter, const char* option) {
    Candidate candidate{delimiter, option, {}};
    split(line, delimiter, candidate.fields);
    return candidate;
}

/// Returns the record with every quoted field replaced by "x". The delimiter is detected in the result, which
/// contains no delimiters inside quotes.
std::string remove_quoted_fields(std::string_view record) {
    const Records any;
    std::string rest;
    std::size_t end = record.size();
    for (std::size_t at = 0; at != Records::none;) {
        const Records::Field field = any.field_at(record, at, end);
        const bool quoted = field.close != Records::none;
        if (quoted) rest += record.substr(at, field.begin - at), rest += 'x';
        const std::size_t from = quoted ? field.close + 1 : at;
        rest += record.substr(from, std::min(field.next, record.size()) - from);
        at = field.next;
    }
    return rest;
}

/// Returns whether all fields are numbers, possibly with decimal commas. If so, a blank cannot be a part of a
/// name.
bool all_numbers(const Fields& fields) {
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

bool is_number(std::string_view token) { return number<std::size_t>(token).has_value(); }

std::string listed(const Fields& fields) {
    std::string text;
    for (const std::string_view field : fields) text += (text.empty() ? "" : ", ") + shown(field);
    return text;
}

/// Returns the index of the column that the user has chosen by an option. `name` is the number of the column,
/// counted from 1, or its name in the header.
std::size_t find_column(const Lines& lines, const Fields& first, bool header, const std::string& name,
                        const char* option) {
    if (const auto position = number<std::size_t>(name)) {
        if (*position < 1 || *position > first.size()) {
            lines.fail(fmt::format("{} {}: the file has {} columns, numbered from 1", option, *position,
                                   first.size()));
        }
        return *position - 1;
    }
    const auto at = std::find(first.begin(), first.end(), name);
    if (!header || at == first.end()) {
        lines.fail(fmt::format("{} {}: no such column; {} {}", option, shown(name),
                               header ? "the header names" : "there is no header, the first line holds",
                               listed(first)));
    }
    if (std::find(at + 1, first.end(), name) != first.end()) {
        lines.fail(fmt::format("{} {}: several columns have this name; give the number of a column", option,
                               shown(name)));
    }
    return static_cast<std::size_t>(at - first.begin());
}

/// Throws FormatError, because it is not known what some columns contain.
[[noreturn]] void refuse_columns(const Lines& lines, const Fields& first, const Columns& columns,
                                 const Dialect& dialect) {
    if (!columns.header && first.size() == 4 && std::all_of(first.begin(), first.end(), weight_of)) {
        lines.fail(
            "found 4 columns of numbers without a header; if they are user, item, rating and time, give "
            "--value-column 3");
    }
    lines.fail(fmt::format(
        "found {} columns{}, expected {}; choose the columns with --value-column (a name or number from 1, "
        "\"none\" for no value), and --rows-column and --cols-column where the ids are not in the first two",
        first.size(), columns.header ? fmt::format(" ({})", listed(first)) : "", dialect.expected));
}

enum class HeaderGuess { no, yes, unclear };

/// Decides whether the words of a line are the names of columns. Words that only contain "user" and "item"
/// may also be IDs, as in "user7 item3". They count as names if another word names a value or a time;
/// otherwise the line may be a header or an edge (unclear).
HeaderGuess header_guess(const Fields& fields) {
    if (fields.size() > max_columns) return HeaderGuess::no;
    const HeaderNames names(fields);
    const bool numbers =
        std::any_of(fields.begin(), fields.end(), [](auto f) { return weight_of(f).has_value(); });
    if (numbers || !names.has(Role::row) || !names.has(Role::col)) return HeaderGuess::no;
    const bool whole = names.has_whole(Role::row) && names.has_whole(Role::col);
    return whole || names.has(Role::value) || names.has(Role::time) ? HeaderGuess::yes : HeaderGuess::unclear;
}

}  // namespace

std::string delimiter_of(const Lines& lines, std::string_view record) {
    const std::string bare = remove_quoted_fields(record);
    const std::string_view line = trim(bare);
    std::vector<Candidate> all;
    for (const auto& [text, option] :
         {std::pair{"\t", "tab"}, {",", "comma"}, {";", "semicolon"}, {"::", "::"}}) {
        if (line.find(text) != std::string_view::npos) all.push_back(split_candidate(line, text, option));
    }
    Candidate blanks = split_candidate(line, "", "space");
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

HeaderNames::HeaderNames(const Fields& names) {
    for (std::size_t i = 0; i < std::min(names.size(), max_columns); ++i) {
        const std::string lower = lower_case(names[i]), whole = letters(lower);
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

bool is_known_header(const Fields& fields) { return header_guess(fields) == HeaderGuess::yes; }

Columns choose_columns(const Lines& lines, const Fields& first, const ReadOptions& options,
                       const Dialect& dialect) {
    const auto by_name = [](const std::optional<std::string>& o) {
        return o && *o != "none" && !is_number(*o);
    };
    Columns columns;
    columns.count = first.size();
    if (first.size() < 2 || first.size() > max_columns ||
        (dialect.columns && first.size() != dialect.columns)) {
        lines.fail(
            fmt::format("found {} column{}, expected {}; --format and --delimiter override what was detected",
                        first.size(), first.size() == 1 ? "" : "s", dialect.expected));
    }
    if (options.header || dialect.header) {
        columns.header = options.header.value_or(dialect.header.value_or(false));
        if (columns.header && !options.header && !is_known_header(first)) {
            lines.fail(
                fmt::format("found {} instead of the header {}; give --header yes if these are names, "
                            "--header no if they are an edge",
                            listed(first), dialect.expected));
        }
    } else if (by_name(options.row_column) || by_name(options.col_column) || by_name(options.value_column) ||
               (options.time_column != "auto" && by_name(options.time_column))) {
        columns.header = true;
    } else {
        const HeaderGuess guess = header_guess(first);
        if (guess == HeaderGuess::unclear)
            lines.fail(fmt::format(
                "the first line ({}) may be a header or an edge; give --header yes or --header no",
                listed(first)));
        columns.header = guess == HeaderGuess::yes;
    }
    if (columns.header) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            std::string name(first[i]);
            // A quoted name may contain line ends, which id_fault() would reject.
            std::erase_if(name, [](char c) { return c == '\n' || c == '\r'; });
            const std::string fault = id_fault(name);
            if (!fault.empty()) lines.fail(fmt::format("the name {} of a column {}", shown(first[i]), fault));
        }
    }
    const HeaderNames names = columns.header ? HeaderNames(first) : HeaderNames();

    // Rows and columns: the user's choice; else the header, if it names both; else the position.
    const bool named = names.has(Role::row) && names.has(Role::col);
    const std::size_t front = names.has(Role::index);
    const auto choose = [&](const std::optional<std::string>& choice, const char* option, Role role,
                            std::size_t position) {
        if (choice) return find_column(lines, first, columns.header, *choice, option);
        if (names.is_ambiguous(role)) {
            lines.fail(fmt::format("several columns of the header match ({}); choose with {}", listed(first),
                                   option));
        }
        if (const auto at = names.find(role)) return *at;
        if (columns.header && !named && (names.has(Role::row) || names.has(Role::col))) {
            lines.fail(fmt::format(
                "the columns cannot be recognised by the names in the header ({}); choose with {}",
                listed(first), option));
        }
        return position;
    };
    columns.row = choose(options.row_column, "--rows-column", Role::row, front);
    columns.col = choose(options.col_column, "--cols-column", Role::col, front + 1);
    if (columns.row == columns.col) {
        lines.fail(fmt::format(
            "rows and columns would both be column {}; choose with --rows-column and --cols-column",
            columns.row + 1));
    }

    // Value: the user's choice; else the header; else the third of three columns.
    const bool third = dialect.ratings || (first.size() == front + 3 && !names.has(Role::time));
    if (options.value_column) {
        if (*options.value_column != "none") {
            columns.value =
                find_column(lines, first, columns.header, *options.value_column, "--value-column");
        }
    } else if (names.is_ambiguous(Role::value)) {
        lines.fail(
            fmt::format("several columns of the header may be the value ({}); choose with --value-column",
                        listed(first)));
    } else if (names.has(Role::value)) {
        columns.value = names.find(Role::value);
    } else if (third) {
        for (std::size_t i = front; i < front + 3 && !columns.value; ++i) {
            if (i != columns.row && i != columns.col) columns.value = i;
        }
    }
    if (columns.value && (*columns.value == columns.row || *columns.value == columns.col)) {
        lines.fail(fmt::format("the value would be column {}, which contains ids; choose with --value-column",
                               *columns.value + 1));
    }

    if (options.time_column && *options.time_column != "auto") {
        columns.time = find_column(lines, first, columns.header, *options.time_column, "--time-column");
    } else if (options.time_column) {
        columns.time = names.find(Role::time);
        if (!columns.time && !columns.header && dialect.ratings && dialect.columns == 4) columns.time = 3;
        if (!columns.time)
            lines.fail("it is not clear which column contains the times; give --time-column NAME or NUMBER");
    }
    if (columns.time &&
        (columns.time == columns.row || columns.time == columns.col || columns.time == columns.value)) {
        lines.fail(fmt::format(
            "the time would be column {}, which is already used for ids or values; choose with --time-column",
            *columns.time + 1));
    }

    // A column that the user has not mentioned is ignored if it is a time or a row number, or if the columns
    // for row, column and value are all known by name or choice. Otherwise it may be one of these, and the
    // file is refused.
    std::string ignored;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool used = i == columns.row || i == columns.col || i == columns.value || i == columns.time;
        if (used || names.role(i) == Role::time || names.role(i) == Role::index) continue;
        ignored += (ignored.empty() ? "" : ", ") + (columns.header ? shown(first[i]) : std::to_string(i + 1));
    }
    if (!ignored.empty() && !options.value_column && !dialect.ratings &&
        !((options.row_column || names.has(Role::row)) && (options.col_column || names.has(Role::col)) &&
          names.has(Role::value))) {
        refuse_columns(lines, first, columns, dialect);
    }
    if (columns.header && !dialect.ratings) {
        columns.note =
            fmt::format("rows are the column {}, columns {}, weights {}{}", shown(first[columns.row]),
                        shown(first[columns.col]), columns.value ? shown(first[*columns.value]) : "none",
                        ignored.empty() ? "" : "; not read: " + ignored);
    }
    const auto value = columns.value ? first[*columns.value] : "0";
    if (!columns.header && !weight_of(value) && !has_decimal_comma(value)) {
        lines.fail(fmt::format("weight {} is not a number; if this line is a header, give --header yes",
                               shown(value)));
    }
    return columns;
}

}  // namespace lockstep::readers
