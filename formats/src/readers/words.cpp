#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "unicode.hpp"

namespace lockstep::readers {

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

std::optional<float> weight_of(std::string_view token) {
    if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
    float value = 0;
    const char* const last = token.data() + token.size();
    const auto [end, error] = std::from_chars(token.data(), last, value);
    if (end != last || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc()) return value;
    // from_chars reports the same error for values that are too small and for values that are too large, so
    // strtod() is used to distinguish them.
    const double wide = std::strtod(std::string(token).c_str(), nullptr);
    return std::abs(wide) < 1 ? static_cast<float>(wide) : HUGE_VALF;
}

const char* weight_fault(float weight, float least) {
    if (!std::isfinite(weight)) return "is not a finite number of single precision";
    if (weight < least) return least > 0 ? "is not above zero" : "is negative, which --nonnegative refuses";
    return nullptr;
}

bool has_decimal_comma(std::string_view token) {
    if (token.starts_with('-')) token.remove_prefix(1);
    const std::size_t comma = token.find(',');
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return comma != std::string_view::npos && digits(token.substr(0, comma)) &&
           digits(token.substr(comma + 1));
}

std::string_view clean_id(const Lines& lines, std::string_view token) {
    if (token.empty())
        lines.fail("an id is empty; every edge needs both of its ids, fill it in or remove the line");
    if (const std::string fault = id_fault(token); !fault.empty())
        lines.fail(fmt::format("the id {} {}", shown(token), fault));
    return token;
}

namespace {

/// Returns the number of seconds from 1970 to a date such as "2015-03-01", "2015-03-01 12:30" or
/// "2015-03-01T12:30:05.25Z", or std::nullopt if the word is no date.
std::optional<std::int64_t> date_of(std::string_view token) {
    const auto part = [&](std::size_t begin, std::size_t size, char before) -> std::optional<int> {
        if (begin > 0 && token[begin - 1] != before) return std::nullopt;
        const auto digits = token.substr(begin, size);
        if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
            return std::nullopt;
        return number<int>(digits);
    };
    if (token.ends_with('Z')) token.remove_suffix(1);
    if (const auto point = token.find('.'); point != token.npos) {
        if (point != 19 || token.find_first_not_of("0123456789", point + 1) != token.npos)
            return std::nullopt;
        token = token.substr(0, point);
    }
    if (token.size() != 10 && token.size() != 16 && token.size() != 19) return std::nullopt;
    const auto year = part(0, 4, 0), month = part(5, 2, '-'), day = part(8, 2, '-');
    if (!year || !month || !day) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    std::int64_t seconds = std::int64_t{std::chrono::sys_days(date).time_since_epoch().count()} * 86400;
    if (token.size() == 10) return seconds;
    const auto hour = part(11, 2, token[10] == 'T' ? 'T' : ' '), minute = part(14, 2, ':');
    const auto second = token.size() == 19 ? part(17, 2, ':') : 0;
    if (!hour || !minute || !second || *minute > 59 || *second > 60) return std::nullopt;
    const int of_day = *hour * 3600 + *minute * 60 + *second;
    if (*hour > 23 && of_day != 24 * 3600) return std::nullopt;  // only 24:00, the end of a day, is permitted
    return seconds + of_day;
}

}  // namespace

std::int64_t parse_time(const Lines& lines, std::string_view token) {
    if (const auto whole = number<std::int64_t>(token)) return *whole;
    if (const auto date = date_of(token)) return *date;
    lines.fail(
        fmt::format("time {} is neither a whole number nor a date; expected one like 978300760, 2015-03-01 "
                    "or 2015-03-01T12:30:05Z (--time-column chooses the column)",
                    shown(token)));
}

float parse_coordinate(const Lines& lines, std::string_view token) {
    const std::optional<float> value = weight_of(token);
    if (!value || !std::isfinite(*value))
        lines.fail(fmt::format("coordinate {} is not a finite number; expected one like 3.5", shown(token)));
    return *value;
}

float parse_weight(const Lines& lines, std::string_view token, float least) {
    const auto weight = weight_of(token);
    if (!weight) {
        const char* remedy =
            token.empty() ? "fill it in, or remove the line"
            : has_decimal_comma(token)
                ? "it has a decimal comma: write a decimal point; if the comma is the delimiter, give "
                  "--delimiter comma"
                : "expected one like 3.5 or 1e-3 (--value-column chooses the column, \"none\" for no weight)";
        lines.fail(fmt::format("weight {} is not a number; {}", shown(token), remedy));
    }
    if (const char* fault = weight_fault(*weight, least)) {
        lines.fail(fmt::format("weight {} {}; correct it or remove the line", shown(token), fault));
    }
    return *weight;
}

EdgeId parse_count(const Lines& lines, std::string_view token, const char* name) {
    if (token.empty()) lines.fail(fmt::format("the {} is missing; expected digits", name));
    const auto count = number<EdgeId>(token);
    if (!count) lines.fail(fmt::format("{} {} is not a count; expected digits alone", name, shown(token)));
    return *count;
}

VertexId parse_declared(const Lines& lines, std::string_view token, VertexId size, const char* name) {
    if (token.empty()) lines.fail(fmt::format("the {} is missing; expected digits", name));
    const auto id = number<std::int64_t>(token);
    if (!id)
        lines.fail(
            fmt::format("{} {} is not an integer; expected one from 1 to {}", name, shown(token), size));
    if (*id < 1 || *id > std::int64_t{size}) {
        lines.fail(fmt::format(
            "{} {} is out of range; the file declares 1 … {}{}", name, *id, size,
            *id == 0 ? " (add 1 to ids that begin at 0, or give the plain edges with --format edge-list)"
                     : ": correct the id or the size"));
    }
    return static_cast<VertexId>(*id - 1);
}

VertexId parse_size(const Lines& lines, std::string_view token, const char* name) {
    const EdgeId size = parse_count(lines, token, name);
    if (size > max_vertices) {
        lines.fail(fmt::format("{} {} is too large; expected at most {} vertices per side", name, size,
                               max_vertices));
    }
    return static_cast<VertexId>(size);
}

}  // namespace lockstep::readers
