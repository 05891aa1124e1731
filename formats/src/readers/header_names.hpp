// The roles that the names in a header give to columns: row, column, value, time or row number.
#pragma once

#include <array>
#include <optional>

#include "text.hpp"

namespace lockstep::readers {

enum class Role { unknown, row, col, value, time, index };

/// The roles of the columns of a header. A column whose name is not recognised has the role `unknown`.
class HeaderNames {
public:
    HeaderNames() = default;
    explicit HeaderNames(const Fields& names);

    Role role(std::size_t column) const { return roles_[column]; }
    bool has(Role role) const { return count(role, false) > 0; }
    /// Returns whether the complete name of some column stands for this role, not only a part of its name.
    bool has_whole(Role role) const { return count(role, true) > 0; }
    /// Returns whether several columns may have the role: either several complete names stand for it, or no
    /// complete name does and several names contain such a part.
    bool is_ambiguous(Role role) const {
        return count(role, true) > 1 || (count(role, true) == 0 && count(role, false) > 1);
    }
    /// Returns the index of the column with this role, unless no column has it or it is ambiguous.
    std::optional<std::size_t> find(Role role) const;

private:
    std::size_t count(Role role, bool exact) const;

    std::array<Role, 32> roles_{};
    std::array<bool, 32> exact_{};
};

}  // namespace lockstep::readers
