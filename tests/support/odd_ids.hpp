// IDs that text outputs must quote, or that look like it.
#pragma once

#include <string>
#include <vector>

namespace lockstep::test {

// clang-format off
inline const std::vector<std::string> odd_ids{
    "#a", "%x", "\"q\"", "q\"q", "\"", "a,b", "1,5", "a;b", "a::b", "a:b", "a|b", "New York", " lead", "end ", "b  b", "1 2",
    "->", "-", "|", "::", "p", "c", "a", "e", "PAR1x", "BZh", "{\"a\"", "[1]", "<xml", "user", "item", "rating", "007", "+5",
    "1e3", "nan", "12345", "-7", "é", "日本", "'s'", "a\\b", "1:", "ann", "%%MatrixMarket", "9223372036854775807"};
// clang-format on

}  // namespace lockstep::test
