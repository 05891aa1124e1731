// Tests of original ids: canonical integers, lookup at the boundaries, description.
#include <limits>

#include "catch.hpp"
#include "lockstep/formats/id_map.hpp"

using namespace lockstep;

namespace {
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

void check_both_directions(const IdMap& map) {
    for (VertexId v = 0; v < map.size(); ++v) CHECK(map.find(map.name(v)) == v);
}
}  // namespace

TEST_CASE("canonical integers are those that print back as they were read") {
    for (const auto value : {std::int64_t{0}, std::int64_t{7}, std::int64_t{-1}, lowest, highest}) {
        CHECK(canonical_integer(std::to_string(value)) == value);
    }
    for (const char* token : {"", "-", "007", "00", "-0", "-01", "+5", " 5", "5 ", "5.0", "1e3", "0x10", "x",
                              "9223372036854775808", "-9223372036854775809", "99999999999999999999"}) {
        CAPTURE(token);
        CHECK_FALSE(canonical_integer(token));
    }
}

TEST_CASE("range ids") {
    const IdMap map = RangeIds{1, 4};
    CHECK(map.size() == 4);
    check_both_directions(map);
    for (const char* id : {"0", "5", "-1", "01", "x", "", "9223372036854775807", "-9223372036854775808"})
        CHECK_FALSE(map.find(id));
    CHECK(map.describe() == "integers 1 … 4");
    const IdMap extreme = RangeIds{lowest, 2};
    check_both_directions(extreme);
    CHECK_FALSE(extreme.find(std::to_string(highest)));
    CHECK(IdMap().size() == 0);
    CHECK_FALSE(IdMap().find("0"));
    CHECK(IdMap().describe() == "none");
}

TEST_CASE("sparse integer ids") {
    const IdMap map = IntegerIds{{lowest, -5, 0, 12, highest}};
    check_both_directions(map);
    for (const char* id : {"1", "012", "13", "x", ""}) CHECK_FALSE(map.find(id));
    CHECK(map.describe() == "5 sparse integers -9223372036854775808 … 9223372036854775807");
    IntegerIds many;
    for (std::int64_t i = 0; i < 12220; ++i) many.ids.push_back(2 * i);
    CHECK(IdMap(many).describe() == "12,220 sparse integers 0 … 24438");
}

TEST_CASE("string ids") {
    const IdMap map = StringIds{"0075abcé", {0, 3, 4, 7, 9}};  // "007" "5" "abc" "é"
    CHECK(map.size() == 4);
    check_both_directions(map);
    for (const char* id : {"7", "", "ab", "abcd", "zz", "0"}) CHECK_FALSE(map.find(id));
    CHECK(map.describe() == "4 strings \"007\" … \"é\"");
    const IdMap with_empty = StringIds{"a", {0, 0, 1}};
    check_both_directions(with_empty);
}
