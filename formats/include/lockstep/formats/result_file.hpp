// The result file: columns of a number a vertex of a square graph, and the original ids, in HDF5 (SCHEMA.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

struct ResultColumn {
    std::string name;
    std::variant<std::vector<float>, std::vector<std::uint32_t>, std::vector<std::uint64_t>>
        values;  ///< by vertex
    /// Written as text: the word for the largest number of the type, a vertex without a value ("": there is
    /// none); and whether the others are vertices, whose original ids are written.
    std::string unreached = {};
    bool are_vertices = false;
};

struct ResultFile {
    /// "lockstep-result", or "lockstep-ranks" of a result whose one column is "ranks", of floats.
    std::string format = "lockstep-result";
    std::vector<ResultColumn> columns;
    IdMap ids;
    std::string graph_hash;  ///< of the graph they are of
    std::map<std::string, std::string> parameters;
};

/// Atomic, as write_schedule_file. Throws OutputError, also where a rank is not finite.
void write_result(const std::filesystem::path& path, const ResultFile& file);
/// Checked, as read_schedule_file; of either format. Throws FormatError.
ResultFile read_result(const std::filesystem::path& path);

}  // namespace lockstep
