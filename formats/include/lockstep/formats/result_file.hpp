// The result file of an application: one or more columns with one number per vertex of a square graph, and
// the original IDs of the vertices, in HDF5 (SCHEMA.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// A column of a result, such as distances or scores.
struct ResultColumn {
    std::string name;
    std::variant<std::vector<float>, std::vector<std::uint32_t>, std::vector<std::uint64_t>>
        values;  ///< one value per vertex
    /// Properties of the column when it is written as text. `unreached` is the word that replaces the largest
    /// number of the type, which marks a vertex without a value; "" if there is no such mark. `are_vertices`:
    /// the values are vertices, so their original IDs are written.
    std::string unreached = {};
    bool are_vertices = false;
};

/// The contents of a result file.
struct ResultFile {
    /// Name of the format: "lockstep-result", or "lockstep-ranks" if the only column is named "ranks" and has
    /// type float.
    std::string format = "lockstep-result";
    std::vector<ResultColumn> columns;
    IdMap ids;
    std::string graph_hash;  ///< hash of the graph that the result was computed for
    std::map<std::string, std::string> parameters;
};

/// Writes a result file atomically, like write_schedule_file(). Throws OutputError, also if a value in a file
/// of format "lockstep-ranks" is not finite.
void write_result(const std::filesystem::path& path, const ResultFile& file);
/// Reads and checks a result file of either format, like read_schedule_file(). Throws FormatError.
ResultFile read_result(const std::filesystem::path& path);

}  // namespace lockstep
