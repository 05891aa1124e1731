// Original ids of one side of the graph: the names that the user's file has for vertices 0, 1, 2, …
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Ids base, base + 1, …; no array is stored.
struct RangeIds {
    std::int64_t base = 0;
    VertexId size = 0;
    bool operator==(const RangeIds&) const = default;
};

/// Sorted distinct integers.
struct IntegerIds {
    std::vector<std::int64_t> ids;
    bool operator==(const IntegerIds&) const = default;
};

/// Sorted distinct strings, concatenated; id i is bytes[offsets[i], offsets[i + 1]).
struct StringIds {
    std::string bytes;
    std::vector<std::uint64_t> offsets{0};
    std::string_view id(std::size_t i) const {
        return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
    }
    bool operator==(const StringIds&) const = default;
};

/// Immutable bidirectional map between vertices and original ids. A token counts as an integer only if the
/// integer prints as the same token: "007" is a string.
class IdMap {
public:
    IdMap() = default;
    IdMap(RangeIds ids) : ids_(ids) {}               // NOLINT(google-explicit-constructor)
    IdMap(IntegerIds ids) : ids_(std::move(ids)) {}  // NOLINT(google-explicit-constructor)
    IdMap(StringIds ids) : ids_(std::move(ids)) {}   // NOLINT(google-explicit-constructor)

    VertexId size() const;
    /// Returns the original id of a vertex < size().
    std::string name(VertexId vertex) const;
    /// Returns the vertex with an original id, if there is one. O(1) for ranges, O(log n) otherwise.
    std::optional<VertexId> find(std::string_view id) const;
    /// Returns a description: "integers 1 … 53424", "53,424 sparse integers 1 … 99999" or "12,220 strings
    /// "0000008" … "9999999"".
    std::string describe() const;

    const std::variant<RangeIds, IntegerIds, StringIds>& ids() const { return ids_; }
    bool operator==(const IdMap&) const = default;

private:
    std::variant<RangeIds, IntegerIds, StringIds> ids_ = RangeIds{};
};

/// Returns the integer that `token` represents, if it has the canonical form (no sign but '-', no leading
/// zeros).
std::optional<std::int64_t> canonical_integer(std::string_view token);

}  // namespace lockstep
