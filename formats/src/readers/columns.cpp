#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace lockstep::readers {
namespace {

enum class Role { unknown, row, col, value, time };

/// What a header name means. Names that contain a word count where no other meaning is in sight;
/// short words must be the whole name ("to" is part of "customer").
Role role_of(std::string_view name) {
    const std::string lower = lower_case(name);
    const auto contains = [&](std::initializer_list<const char*> words) {
        return std::any_of(words.begin(), words.end(),
                           [&](const char* w) { return lower.find(w) != std::string::npos; });
    };
    const auto equals = [&](std::initializer_list<const char*> words) {
        return std::any_of(words.begin(), words.end(), [&](const char* w) { return lower == w; });
    };
    if (contains({"time", "date"})) return Role::time;
    if (contains({"rating", "weight", "score", "value", "stars"}) || equals({"overall", "count", "plays"}))
        return Role::value;
    if (contains({"user", "reviewer", "customer", "source"}) || equals({"row", "src", "from", "u"}))
        return Role::row;
    if (contains({"item", "movie", "book", "product", "artist", "track", "song", "anime", "game", "joke",
                  "target"}) ||
        equals({"asin", "isbn", "col", "column", "dst", "to", "v"})) {
        return Role::col;
    }
    return Role::unknown;
}

struct Roles {
    std::array<Role, 32> at{};
    std::size_t count(Role role) const {
        return static_cast<std::size_t>(std::count(at.begin(), at.end(), role));
    }
    std::size_t find(Role role) const {
        return static_cast<std::size_t>(std::find(at.begin(), at.end(), role) - at.begin());
    }
};

Roles roles_of(const Fields& fields) {
    Roles roles;
    for (std::size_t i = 0; i < std::min(fields.count, fields.at.size()); ++i)
        roles.at[i] = role_of(fields.at[i]);
    return roles;
}

bool is_number(std::string_view token) { return number<std::size_t>(token).has_value(); }

std::string listed(const Fields& fields) {
    std::string text;
    for (std::size_t i = 0; i < fields.count; ++i) text += (i ? ", " : "") + shown(fields.at[i]);
    return text;
}

/// The column that an option names, by number from 1 or by header name.
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
    return static_cast<std::size_t>(at - first.at.begin());
}

}  // namespace

bool is_known_header(const Fields& fields) {
    if (fields.overflow()) return false;
    const Roles roles = roles_of(fields);
    const auto end = fields.at.begin() + static_cast<std::ptrdiff_t>(fields.count);
    return roles.count(Role::row) > 0 && roles.count(Role::col) > 0 &&
           std::none_of(fields.at.begin(), end, [](auto f) { return weight_of(f).has_value(); });
}

void unquote(const Lines& lines, Fields& fields) {
    for (std::size_t i = 0; i < fields.count; ++i) {
        auto& field = fields.at[i];
        if (!field.starts_with('"')) continue;
        const auto inner = field.substr(1, field.size() < 2 ? 0 : field.size() - 2);
        if (field.size() < 2 || field.back() != '"' || inner.find('"') != std::string_view::npos) {
            lines.fail(fmt::format("quoted fields with delimiters or quotes in them are not read; found {}",
                                   shown(field)));
        }
        field = inner;
    }
}

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
    columns.header = options.header.value_or(
        dialect.header.value_or(by_name(options.row_column) || by_name(options.col_column) ||
                                by_name(options.value_column) || is_known_header(first)));
    const Roles roles = columns.header ? roles_of(first) : Roles{};

    // Rows and columns: what the user says, else what the header says of both, else by position.
    const bool named = roles.count(Role::row) > 0 && roles.count(Role::col) > 0;
    const auto choose = [&](const std::optional<std::string>& choice, const char* option, Role role,
                            std::size_t position) {
        if (choice) return find_column(lines, first, columns.header, *choice, option);
        if (roles.count(role) > 1) {
            lines.fail(fmt::format("several columns of the header may be meant ({}); choose with {}",
                                   listed(first), option));
        }
        if (roles.count(role) == 1) return roles.find(role);
        if (columns.header && !named && roles.count(Role::row) + roles.count(Role::col) > 0) {
            lines.fail(fmt::format("the header names ({}) do not say enough; choose with {}", listed(first),
                                   option));
        }
        return position;
    };
    columns.row = choose(options.row_column, "--rows-column", Role::row, 0);
    columns.col = choose(options.col_column, "--cols-column", Role::col, 1);
    if (columns.row == columns.col) {
        lines.fail(fmt::format(
            "rows and columns would both be column {}; choose with --rows-column and --cols-column",
            columns.row + 1));
    }

    // The value: what the user says, else what the header says, else the third of three columns.
    const bool third = dialect.ratings || (first.count == 3 && roles.count(Role::time) == 0);
    if (options.value_column) {
        if (*options.value_column != "none") {
            columns.value =
                find_column(lines, first, columns.header, *options.value_column, "--value-column");
        }
    } else if (roles.count(Role::value) > 1) {
        lines.fail(
            fmt::format("several columns of the header may be the value ({}); choose with --value-column",
                        listed(first)));
    } else if (roles.count(Role::value) == 1) {
        columns.value = roles.find(Role::value);
    } else if (third) {
        for (std::size_t i = 0; i < 3 && !columns.value; ++i) {
            if (i != columns.row && i != columns.col) columns.value = i;
        }
    }
    if (columns.value && (*columns.value == columns.row || *columns.value == columns.col)) {
        lines.fail(fmt::format("the value would be column {}, which holds ids; choose with --value-column",
                               *columns.value + 1));
    }

    // A column nobody asked about is not skipped in silence, unless it is a time.
    if (!options.value_column && !dialect.ratings) {
        for (std::size_t i = 0; i < first.count; ++i) {
            if (i == columns.row || i == columns.col || (columns.value && i == *columns.value) ||
                roles.at[i] == Role::time)
                continue;
            lines.fail(fmt::format(
                "found {} columns, expected {}; say which to use with --rows-column, --cols-column and "
                "--value-column (names or numbers; \"none\" for no value)",
                first.count, dialect.expected));
        }
    }
    if (!columns.header && columns.value && !weight_of(first.at[*columns.value])) {
        lines.fail(fmt::format("weight {} is not a number; if this line is a header, say --header yes",
                               shown(first.at[*columns.value])));
    }
    return columns;
}

}  // namespace lockstep::readers
