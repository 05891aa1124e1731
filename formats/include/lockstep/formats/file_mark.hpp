// Recognition of files that Lockstep has written, by their content.
#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep {

/// Returns whether `path` is a complete HDF5 file of Lockstep with the given format name (schema.hpp).
/// Returns false instead of throwing if it is not.
bool is_lockstep_file(const std::filesystem::path& path, std::string_view format);

}  // namespace lockstep
