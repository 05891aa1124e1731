// Limits that the system sets to the process and to those started with it: a container's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lockstep {

/// Where a process finds its control groups: versions 1 and 2, whatever is mounted. Others are for tests.
struct ControlGroups {
    std::filesystem::path membership = "/proc/self/cgroup";
    std::filesystem::path root = "/sys/fs/cgroup";

    /// Bytes of memory; nothing where there is no limit. The least of the group and of all above it.
    std::optional<std::uint64_t> memory() const;
    /// Processors' worth of time, such as 1.5; nothing where there is no limit. The least as above.
    std::optional<double> processors() const;
};

}  // namespace lockstep
