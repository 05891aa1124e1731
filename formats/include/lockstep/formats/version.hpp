// Version and provenance of this build.
#pragma once

#include <string>

namespace lockstep {

/// Version of the project, "0.1.0".
std::string version();
/// Git revision of the sources with "-dirty" where they were changed, or "unknown".
std::string revision();
/// "lockstep-execute 0.1.0 (revision abc123)": name, version, git revision with "-dirty".
std::string program_version(const std::string& name);
/// One line each: schedule file version, HDF5, METIS, CUDA toolkit and compiled architectures.
std::string build_description();

}  // namespace lockstep
