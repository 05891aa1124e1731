#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unicode.hpp"

namespace lockstep::readers {

namespace {

/// About the first `most` bytes, which are taken off `token`.
std::string printed(std::string_view& token, std::size_t most) {
    const std::size_t size = token.size();
    std::string text;
    while (!token.empty() && size - token.size() < most) {
        const Utf8 c = utf8_at(token);
        const std::string_view bytes = token.substr(0, std::max<std::size_t>(c.bytes, 1));
        if (c.bytes > 0 && is_visible(c.code)) {
            text += bytes;
        } else {
            for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        }
        token.remove_prefix(bytes.size());
    }
    return text;
}

}  // namespace

std::string printable(std::string_view text) { return printed(text, text.size()); }

std::string shown(std::string_view token) {
    constexpr std::size_t most = 40;
    const std::string text = printed(token, most);
    return "\"" + text + (token.empty() ? "\"" : "…\"");
}

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
    // from_chars says "out of range" for too small as for too large: a double tells them apart.
    const auto wide = number<double>(token);
    return wide && std::abs(*wide) < 1 ? static_cast<float>(*wide) : HUGE_VALF;
}

const char* weight_fault(float weight, bool nonnegative) {
    if (!std::isfinite(weight)) return "is not a finite number of single precision";
    if (nonnegative && weight < 0) return "is negative, which --nonnegative refuses";
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

float parse_weight(const Lines& lines, std::string_view token, bool nonnegative) {
    const auto weight = weight_of(token);
    if (!weight) {
        const char* remedy =
            token.empty() ? "fill it in, or remove the line"
            : has_decimal_comma(token)
                ? "it has a decimal comma, write a point; where the comma is the delimiter, say "
                  "--delimiter comma"
                : "expected one like 3.5 or 1e-3 (--value-column says which column holds it, "
                  "\"none\" for no weight)";
        lines.fail(fmt::format("weight {} is not a number; {}", shown(token), remedy));
    }
    if (const char* fault = weight_fault(*weight, nonnegative)) {
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
        lines.fail(
            fmt::format("{} {} is too large; expected at most {} vertices a side", name, size, max_vertices));
    }
    return static_cast<VertexId>(size);
}

}  // namespace lockstep::readers
