// Words that a person types for names that are known.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

/// In small letters (ASCII).
std::string lower(std::string_view word);

/// What of `known` the word probably means: the same but for case, or one that a few typing errors (letters
/// left out, added, exchanged or swapped; at most a third of the word) make of it. Empty where there is none.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// So many of `known`, those that the fewest typing errors make of the word, the nearest first.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> known,
                                 std::size_t count);

/// "; did you mean NAME?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace lockstep::cli
