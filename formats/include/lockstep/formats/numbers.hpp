// Parsing of numbers in text.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

namespace readers {
/// Returns the number that the whole word denotes, if it is one of type T.
template <class T>
std::optional<T> number(std::string_view token) {
    T value{};
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return value;
}
}  // namespace readers

/// Returns the number that the whole text denotes, which may begin with '+', if it is in the range [low,
/// high].
template <class T>
std::optional<T> parse_number(std::string_view text, T low, T high) {
    const std::optional<T> value = readers::number<T>(text.substr(text.starts_with('+')));
    // the comparison is written such that NaN is refused, too
    return value && *value >= low && *value <= high ? value : std::nullopt;
}

/// Returns the number of bytes that a word such as "8G" or "512M" denotes (powers of 1000). Throws UsageError
/// with the name of the option.
EdgeId size_of(const std::string& option, const std::string& word);

}  // namespace lockstep
