// Matching of mistyped words to known names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

/// Returns the word in lower case (ASCII only).
std::string lower(std::string_view word);

/// Returns the element of `known` that the word probably means: equal except for case, or at a small edit
/// distance (letters inserted, deleted, replaced or swapped; at most a third of the word's length). Returns
/// an empty string if there is none.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// Returns the `count` elements of `known` with the smallest edit distances from the word, nearest first.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> known,
                                 std::size_t count);

/// Returns "; did you mean NAME?", or an empty string if no name is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace lockstep::cli
