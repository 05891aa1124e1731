#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "header_names.hpp"
#include "unicode.hpp"

namespace lockstep::readers {
namespace {

bool is_number(std::string_view token) { return number<std::size_t>(token).has_value(); }

std::string listed(const Fields& fields) {
    std::string text;
    for (std::size_t i = 0; i < fields.count; ++i) text += (i ? ", " : "") + shown(fields.at[i]);
    return text;
}

/// Returns the index of the column that the user has chosen by an option. `name` is the number of the column,
/// counted from 1, or its name in the header.
std::size_t find_column(const Lines& lines, const Fields& first, bool header, const std::string& name,
                        const char* option) {
    if (const auto position = number<std::size_t>(name)) {
        if (*position < 1 || *position > first.count) {
            lines.fail(fmt::format("{} {}: the file has {} columns, numbered from 1", option, *position,
                                   first.count));
        }
        return *position - 1;
    }
    const auto end = first.at.begin() + static_cast<std::ptrdiff_t>(first.count);
    const auto at = std::find(first.at.begin(), end, name);
    if (!header || at == end) {
        lines.fail(fmt::format("{} {}: no such column; {} {}", option, shown(name),
                               header ? "the header names" : "there is no header, the first line holds",
                               listed(first)));
    }
    if (std::find(at + 1, end, name) != end) {
        lines.fail(fmt::format("{} {}: several columns have this name; give the number of a column", option,
                               shown(name)));
    }
    return static_cast<std::size_t>(at - first.at.begin());
}

/// Throws FormatError, because it is not known what some columns contain.
[[noreturn]] void refuse_columns(const Lines& lines, const Fields& first, const Columns& columns,
                                 const Dialect& dialect) {
    const auto end = first.at.begin() + static_cast<std::ptrdiff_t>(first.count);
    if (!columns.header && first.count == 4 && std::all_of(first.at.begin(), end, weight_of)) {
        lines.fail(
            "found 4 columns of numbers without a header; if they are user, item, rating and time, give "
            "--value-column 3");
    }
    lines.fail(fmt::format(
        "found {} columns{}, expected {}; choose the columns with --value-column (a name or number from 1, "
        "\"none\" for no value), and --rows-column and --cols-column where the ids are not in the first two",
        first.count, columns.header ? fmt::format(" ({})", listed(first)) : "", dialect.expected));
}

enum class HeaderGuess { no, yes, unclear };

/// Decides whether the words of a line are the names of columns. Words that only contain "user" and "item"
/// may also be IDs, as in "user7 item3". They count as names if another word names a value or a time;
/// otherwise the line may be a header or an edge (unclear).
HeaderGuess header_guess(const Fields& fields) {
    if (fields.overflow()) return HeaderGuess::no;
    const HeaderNames names(fields);
    const auto end = fields.at.begin() + static_cast<std::ptrdiff_t>(fields.count);
    const bool numbers = std::any_of(fields.at.begin(), end, [](auto f) { return weight_of(f).has_value(); });
    if (numbers || !names.has(Role::row) || !names.has(Role::col)) return HeaderGuess::no;
    const bool whole = names.has_whole(Role::row) && names.has_whole(Role::col);
    return whole || names.has(Role::value) || names.has(Role::time) ? HeaderGuess::yes : HeaderGuess::unclear;
}

}  // namespace

bool is_known_header(const Fields& fields) { return header_guess(fields) == HeaderGuess::yes; }

Columns choose_columns(const Lines& lines, const Fields& first, const ReadOptions& options,
                       const Dialect& dialect) {
    const auto by_name = [](const std::optional<std::string>& o) {
        return o && *o != "none" && !is_number(*o);
    };
    Columns columns;
    columns.count = first.count;
    if (first.count < 2 || first.overflow() || (dialect.columns && first.count != dialect.columns)) {
        lines.fail(
            fmt::format("found {} column{}, expected {}; --format and --delimiter override what was detected",
                        first.count, first.count == 1 ? "" : "s", dialect.expected));
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
        for (std::size_t i = 0; i < first.count; ++i) {
            std::string name(first.at[i]);
            // A quoted name may contain line ends, which id_fault() would reject.
            std::erase_if(name, [](char c) { return c == '\n' || c == '\r'; });
            const std::string fault = id_fault(name);
            if (!fault.empty())
                lines.fail(fmt::format("the name {} of a column {}", shown(first.at[i]), fault));
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
    const bool third = dialect.ratings || (first.count == front + 3 && !names.has(Role::time));
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
    for (std::size_t i = 0; i < first.count; ++i) {
        const bool used = i == columns.row || i == columns.col || i == columns.value || i == columns.time;
        if (used || names.role(i) == Role::time || names.role(i) == Role::index) continue;
        ignored +=
            (ignored.empty() ? "" : ", ") + (columns.header ? shown(first.at[i]) : std::to_string(i + 1));
    }
    if (!ignored.empty() && !options.value_column && !dialect.ratings &&
        !((options.row_column || names.has(Role::row)) && (options.col_column || names.has(Role::col)) &&
          names.has(Role::value))) {
        refuse_columns(lines, first, columns, dialect);
    }
    if (columns.header && !dialect.ratings) {
        columns.note = fmt::format("rows are the column {}, columns {}, weights {}{}",
                                   shown(first.at[columns.row]), shown(first.at[columns.col]),
                                   columns.value ? shown(first.at[*columns.value]) : "none",
                                   ignored.empty() ? "" : "; not read: " + ignored);
    }
    const auto value = columns.value ? first.at[*columns.value] : "0";
    if (!columns.header && !weight_of(value) && !has_decimal_comma(value)) {
        lines.fail(fmt::format("weight {} is not a number; if this line is a header, give --header yes",
                               shown(value)));
    }
    return columns;
}

}  // namespace lockstep::readers
