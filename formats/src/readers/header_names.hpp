// What the names in a header mean.
#pragma once

#include <array>
#include <optional>

#include "text.hpp"

namespace lockstep::readers {

enum class Role { unknown, row, col, value, time, index };

/// The roles of the columns that a header names, as far as they are known.
class HeaderNames {
public:
    HeaderNames() = default;
    explicit HeaderNames(const Fields& names);

    Role role(std::size_t column) const { return roles_[column]; }
    bool has(Role role) const { return count(role, false) > 0; }
    /// Whether a whole name says so, rather than a part of one.
    bool has_whole(Role role) const { return count(role, true) > 0; }
    /// Whether several columns may be meant: several whose whole name says so, or else whose name contains
    /// it.
    bool is_ambiguous(Role role) const {
        return count(role, true) > 1 || (count(role, true) == 0 && count(role, false) > 1);
    }
    /// The column of a role, where it is there and not ambiguous.
    std::optional<std::size_t> find(Role role) const;

private:
    std::size_t count(Role role, bool exact) const;

    std::array<Role, 32> roles_{};
    std::array<bool, 32> exact_{};
};

}  // namespace lockstep::readers
