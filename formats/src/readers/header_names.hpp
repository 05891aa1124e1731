// Meanings of the names in a header.
#pragma once

#include <array>
#include <optional>

#include "text.hpp"

namespace lockstep::readers {

enum class Role { unknown, row, col, value, time, index };

/// The roles of the columns of a header, as far as its names are known.
class HeaderNames {
public:
    HeaderNames() = default;
    explicit HeaderNames(const Fields& names);

    Role role(std::size_t column) const { return roles_[column]; }
    bool has(Role role) const { return count(role, false) > 0; }
    /// Returns true if the whole name of a column means this role, not only a part of a name.
    bool has_whole(Role role) const { return count(role, true) > 0; }
    /// Returns true if several columns may have the role: several whole names mean it, or none does and
    /// several names contain a part that means it.
    bool is_ambiguous(Role role) const {
        return count(role, true) > 1 || (count(role, true) == 0 && count(role, false) > 1);
    }
    /// Returns the column of a role, if there is one and it is not ambiguous.
    std::optional<std::size_t> find(Role role) const;

private:
    std::size_t count(Role role, bool exact) const;

    std::array<Role, 32> roles_{};
    std::array<bool, 32> exact_{};
};

}  // namespace lockstep::readers
