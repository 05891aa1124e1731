// Archives and compressed data, made in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::fuzz {

enum class Packing { none, gzip, bzip2, xz, zstd, tar_gzip, zip, stored_zip };

/// The files as one, with right checksums. Packings without names take the first file alone.
std::string pack(Packing packing, const std::vector<std::pair<std::string, std::string_view>>& files);
/// ".gz", ".zip", …
const char* suffix(Packing packing);

}  // namespace lockstep::fuzz
