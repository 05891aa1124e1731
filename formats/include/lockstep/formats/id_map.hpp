// The original IDs of the vertices of one side of the graph. Vertices have the indices 0, 1, 2, …; the user's
// file may identify them by other integers or by strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The consecutive IDs base, base + 1, …, base + size - 1. No array is stored.
struct RangeIds {
    std::int64_t base = 0;
    VertexId size = 0;
    bool operator==(const RangeIds&) const = default;
};

/// IDs that are distinct integers, in ascending order.
struct IntegerIds {
    std::vector<std::int64_t> ids;
    bool operator==(const IntegerIds&) const = default;
};

/// IDs that are distinct strings, in ascending order and concatenated. ID i is bytes[offsets[i]] …
/// bytes[offsets[i + 1] - 1].
struct StringIds {
    std::string bytes;
    std::vector<std::uint64_t> offsets{0};
    std::string_view id(std::size_t i) const {
        return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
    }
    /// Appends an ID, which must be greater than all others.
    void push(std::string_view id) {
        bytes += id;
        offsets.push_back(bytes.size());
    }
    bool operator==(const StringIds&) const = default;
};

/// An immutable map between vertices and original IDs, in both directions. A word of the input is an integer
/// ID only if it is the usual notation of the integer: "7" is an integer, but "007" is a string.
class IdMap {
public:
    IdMap() = default;
    IdMap(RangeIds ids) : ids_(ids) {}               // NOLINT(google-explicit-constructor)
    IdMap(IntegerIds ids) : ids_(std::move(ids)) {}  // NOLINT(google-explicit-constructor)
    IdMap(StringIds ids) : ids_(std::move(ids)) {}   // NOLINT(google-explicit-constructor)

    VertexId size() const;
    /// Returns the original ID of a vertex, whose index must be below size().
    std::string name(VertexId vertex) const;
    /// Returns the vertex with the given original ID, if there is one. O(1) for consecutive IDs, otherwise
    /// O(log n).
    std::optional<VertexId> find(std::string_view id) const;
    /// Returns a description: "integers 1 … 53424", "53,424 sparse integers 1 … 99999" or "12,220 strings
    /// "0000008" … "9999999"".
    std::string describe() const;

    const std::variant<RangeIds, IntegerIds, StringIds>& ids() const { return ids_; }
    bool operator==(const IdMap&) const = default;

private:
    std::variant<RangeIds, IntegerIds, StringIds> ids_ = RangeIds{};
};

/// Returns a map of IDs that are distinct and in ascending order. Consecutive IDs become a range.
IdMap make_integer_ids(std::vector<std::int64_t> ids);

/// Returns the integer that `token` denotes, if it has the usual notation: no sign but '-', no leading zeros.
std::optional<std::int64_t> canonical_integer(std::string_view token);

}  // namespace lockstep
