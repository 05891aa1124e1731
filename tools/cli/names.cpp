#include "names.hpp"

#include <algorithm>

namespace lockstep::cli {

namespace {

// maximum length of a word that is compared: the distance takes time proportional to the product of both
// lengths
constexpr std::size_t longest = 64;

/// Returns the edit distance: the minimum number of letters to delete, insert, replace or swap with their
/// neighbour (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d.back().back();
}

}  // namespace

std::string lower(std::string_view word) {
    std::string small(word);
    for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return small;
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
    if (word.size() > longest) return {};
    const std::string small = lower(word);
    std::string best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& name : known) {
        const std::size_t edits = distance(small, lower(name));
        if (edits < least) least = edits, best = name;
    }
    return best;
}

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> known,
                                 std::size_t count) {
    const std::string small = lower(word.substr(0, longest));
    std::vector<std::string> names(known.begin(), known.end());
    std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        return distance(small, lower(a)) < distance(small, lower(b));
    });
    names.resize(std::min(names.size(), count));
    return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    const std::string name = nearest(word, known);
    return name.empty() ? name : "; did you mean " + name + "?";
}

}  // namespace lockstep::cli
