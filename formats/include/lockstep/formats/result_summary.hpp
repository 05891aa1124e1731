// The attributes of a model, a file of ranks or another result, without its arrays.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct ResultSummary {
    enum class Kind { model, ranks, result } kind = Kind::model;
    std::string path;
    std::string version;       ///< version of the format, "1.4"
    std::string program;       ///< name, version and revision of the program that wrote the file
    std::string content_hash;  ///< hash of all attributes, including the hashes of the arrays
    std::string graph_hash;    ///< hash of the graph that the result was computed for
    std::string hash;          ///< hash of the arrays and ids
    std::string columns;       ///< columns of a result file: "sum:u64,depth:u32"
    /// Number of vertices; `cols` is 0 except for a model, where vertices have two sides.
    VertexId rows = 0, cols = 0;
    std::uint32_t rank = 0;        ///< rank (number of factors) of a model
    std::string row_ids, col_ids;  ///< output of IdMap::describe()
    std::map<std::string, std::string> parameters;
};

/// Reads and checks the attributes alone; whoever reads the arrays checks those. Returns std::nullopt for a
/// schedule file. Throws FormatError, also if Lockstep did not write the file.
std::optional<ResultSummary> read_result_summary(const std::filesystem::path& path);

}  // namespace lockstep
