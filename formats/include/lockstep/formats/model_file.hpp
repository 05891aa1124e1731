// The model file: factor vectors and the original ids of both sides, in HDF5 (SCHEMA.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

struct Model {
    VertexId rows = 0, cols = 0;
    std::uint32_t rank = 0;
    std::vector<float> row_factors;  ///< rows x rank, row-major
    std::vector<float> col_factors;  ///< cols x rank, row-major
    IdMap row_ids, col_ids;
    std::string graph_hash;  ///< of the graph it was fitted to
    std::map<std::string, std::string> parameters;
};

/// Atomic, as write_schedule_file. Throws OutputError.
void write_model(const std::filesystem::path& path, const Model& model);
/// Checked, as read_schedule_file. Throws FormatError.
Model read_model(const std::filesystem::path& path);

}  // namespace lockstep
