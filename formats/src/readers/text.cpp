#include "text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lockstep::readers {

std::string shown(std::string_view token) {
    constexpr std::size_t most = 40;
    std::string text = "\"";
    for (const char c : token.substr(0, most)) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            text += c;
        }
    }
    return text + (token.size() > most ? "…\"" : "\"");
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

float parse_weight(const Lines& lines, std::string_view token, bool nonnegative) {
    const auto weight = weight_of(token);
    if (!weight) lines.fail(fmt::format("weight {} is not a number", shown(token)));
    if (const char* fault = weight_fault(*weight, nonnegative)) {
        lines.fail(fmt::format("weight {} {}", shown(token), fault));
    }
    return *weight;
}

EdgeId parse_count(const Lines& lines, std::string_view token, const char* name) {
    if (token.empty()) lines.fail(fmt::format("the {} is missing", name));
    const auto count = number<EdgeId>(token);
    if (!count) lines.fail(fmt::format("{} {} is not a count", name, shown(token)));
    return *count;
}

VertexId parse_declared(const Lines& lines, std::string_view token, VertexId size, const char* name) {
    if (token.empty()) lines.fail(fmt::format("the {} is missing", name));
    const auto id = number<std::int64_t>(token);
    if (!id) lines.fail(fmt::format("{} {} is not an integer", name, shown(token)));
    if (*id < 1 || *id > std::int64_t{size}) {
        lines.fail(fmt::format("{} {} is out of range; the file declares 1 … {}", name, *id, size));
    }
    return static_cast<VertexId>(*id - 1);
}

VertexId parse_size(const Lines& lines, std::string_view token, const char* name) {
    const EdgeId size = parse_count(lines, token, name);
    if (size > max_vertices) {
        lines.fail(
            fmt::format("{} {} is too large; a side has at most {} vertices", name, size, max_vertices));
    }
    return static_cast<VertexId>(size);
}

}  // namespace lockstep::readers
