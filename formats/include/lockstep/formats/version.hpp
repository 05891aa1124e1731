// Version and revision of this build.
#pragma once

#include <string>

namespace lockstep {

/// Returns the version of Lockstep, such as "0.1.0".
std::string version();
/// Returns the Git revision of the sources, with "-dirty" if they were modified, or "unknown" if they were
/// not in a repository.
std::string revision();
/// Returns the text that a program prints as its version: "lockstep-execute 0.1.0 (revision abc123)".
std::string program_version(const std::string& name);
/// Returns one line each about the version of schedule files, HDF5, METIS, and the CUDA toolkit with the
/// compiled architectures.
std::string build_description();

}  // namespace lockstep
