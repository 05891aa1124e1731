// Parsing of numbers in text.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Returns the number that the whole text denotes, if it is in the range [low, high].
template <class T>
std::optional<T> parse_number(std::string_view text, T low, T high) {
    const char* const end = text.data() + text.size();
    T value{};
    const auto [rest, error] = std::from_chars(text.data() + text.starts_with('+'), end, value);
    // the comparison is written such that NaN is refused, too
    if (error != std::errc() || rest != end || !(value >= low && value <= high)) return std::nullopt;
    return value;
}

/// Returns the number of bytes that a word such as "8G" or "512M" denotes (powers of 1000). Throws UsageError
/// with the name of the option.
EdgeId size_of(const std::string& option, const std::string& word);

}  // namespace lockstep
