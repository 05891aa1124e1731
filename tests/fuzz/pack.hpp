// Makes archives and compressed data in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::fuzz {

enum class Packing { none, gzip, bzip2, xz, zstd, tar_gzip, zip, stored_zip };

/// Packs the files into one, with valid checksums. Formats without file names contain only the first file.
std::string pack(Packing packing, const std::vector<std::pair<std::string, std::string_view>>& files);
/// Returns the suffix of a file name: ".gz", ".zip", …
const char* suffix(Packing packing);

}  // namespace lockstep::fuzz
