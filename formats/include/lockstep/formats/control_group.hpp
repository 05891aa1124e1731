// Resource limits that the system, for example a container, sets for the process and its children.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lockstep {

/// Paths where a process finds its control groups (versions 1 and 2, whichever is mounted). Tests set other
/// paths.
struct ControlGroups {
    std::filesystem::path membership = "/proc/self/cgroup";
    std::filesystem::path root = "/sys/fs/cgroup";

    /// Returns the memory limit in bytes: the minimum over the group and all its ancestors. Empty if there is
    /// no limit.
    std::optional<std::uint64_t> memory() const;
    /// Returns the CPU limit in processors, such as 1.5: the minimum over the group and all its ancestors.
    /// Empty if there is no limit.
    std::optional<double> processors() const;
};

}  // namespace lockstep
