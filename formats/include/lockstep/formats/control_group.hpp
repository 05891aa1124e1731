// Limits of memory and CPU time that the operating system, for example for a container, sets for a group of
// processes (Linux control groups).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lockstep {

/// The files in which a process finds its control groups. Versions 1 and 2 of control groups are supported.
/// Tests use other paths.
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
