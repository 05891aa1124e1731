// The rank file: one number a vertex of a square graph, and the original ids, in HDF5 (SCHEMA.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

struct RankFile {
    std::vector<float> ranks;  ///< by vertex
    IdMap ids;
    std::string graph_hash;  ///< of the graph they are of
    std::map<std::string, std::string> parameters;
};

/// Atomic, as write_schedule_file. Throws OutputError, also where a rank is not finite.
void write_ranks(const std::filesystem::path& path, const RankFile& file);
/// Checked, as read_schedule_file. Throws FormatError.
RankFile read_ranks(const std::filesystem::path& path);

}  // namespace lockstep
