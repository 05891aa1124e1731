// Whether a file is one that Lockstep wrote, by what is in it.
#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep {

/// Whether `path` is a whole HDF5 file of Lockstep with this `format` (schema.hpp). Does not throw.
bool is_lockstep_file(const std::filesystem::path& path, std::string_view format);

}  // namespace lockstep
