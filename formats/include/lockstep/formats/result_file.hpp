// The result file: columns with one number per vertex of a square graph, and the original ids, in HDF5
// (SCHEMA.md).
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
        values;  ///< values, indexed by vertex
    /// How the column is written as text. `unreached` is the word for the largest number of the type, which
    /// marks a vertex without a value ("": there are no such vertices). If `are_vertices`, the values are
    /// vertices and are written as their original ids.
    std::string unreached = {};
    bool are_vertices = false;
};

struct ResultFile {
    /// "lockstep-result", or "lockstep-ranks" for a result with the single float column "ranks".
    std::string format = "lockstep-result";
    std::vector<ResultColumn> columns;
    IdMap ids;
    std::string graph_hash;  ///< hash of the graph that the result was computed for
    std::map<std::string, std::string> parameters;
};

/// Writes a result atomically, like write_schedule_file. Throws OutputError, also if a value of
/// "lockstep-ranks" is not finite.
void write_result(const std::filesystem::path& path, const ResultFile& file);
/// Reads and checks a result of either format, like read_schedule_file. Throws FormatError.
ResultFile read_result(const std::filesystem::path& path);

}  // namespace lockstep
