// Recognises files that Lockstep wrote, by their content.
#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep {

/// Returns true if `path` is a complete HDF5 file of Lockstep with this `format` (schema.hpp). Does not
/// throw.
bool is_lockstep_file(const std::filesystem::path& path, std::string_view format);

}  // namespace lockstep
