// Version and revision of this build.
#pragma once

#include <string>

namespace lockstep {

/// Returns the version of the project, such as "0.1.0".
std::string version();
/// Returns the Git revision of the sources, with "-dirty" if they were modified, or "unknown".
std::string revision();
/// Returns name, version and revision of a program: "lockstep-execute 0.1.0 (revision abc123)".
std::string program_version(const std::string& name);
/// Returns one line each for: schedule file version, HDF5, METIS, CUDA toolkit and compiled architectures.
std::string build_description();

}  // namespace lockstep
