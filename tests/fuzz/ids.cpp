// Fuzzes the id maps: uses the lines of the input as ids, and compares the maps with the definition.
#include <algorithm>
#include <charconv>
#include <set>

#include "fuzz.hpp"
#include "lockstep/formats/id_map.hpp"

using namespace lockstep;

namespace {

void check(const IdMap& ids, const std::set<std::string, std::less<>>& words) {
    ids.describe();
    for (VertexId v = 0; v < ids.size(); ++v)
        fuzz::require(ids.find(ids.name(v)) == v, "every vertex is found by its id");
    for (const std::string& word : words) {
        const auto found = ids.find(word);
        fuzz::require(!found || (*found < ids.size() && ids.name(*found) == word),
                      "what is found has this id");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Source input(data, size);
    const RangeIds range{static_cast<std::int64_t>(input.number() >> 1), static_cast<VertexId>(input.byte())};
    std::set<std::string, std::less<>> words;
    for (std::string_view rest = input.rest(); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        words.emplace(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    StringIds strings;
    IntegerIds integers;
    for (const std::string& word : words) {
        strings.bytes += word;
        strings.offsets.push_back(strings.bytes.size());
        const auto value = canonical_integer(word);
        std::int64_t parsed = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parsed);
        const bool is_integer = error == std::errc() && end == word.data() + word.size();
        fuzz::require(value.has_value() == (is_integer && std::to_string(parsed) == word),
                      "an integer is canonical where it prints back as it was read");
        if (value) integers.ids.push_back(*value);
    }
    std::sort(integers.ids.begin(), integers.ids.end());
    check(strings, words);
    check(integers, words);
    if (range.base <= std::numeric_limits<std::int64_t>::max() - range.size) check(range, words);
    return 0;
}
