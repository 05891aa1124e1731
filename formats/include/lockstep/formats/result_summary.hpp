// The attributes of a model file or result file, without its arrays. Reading them takes little time, whatever
// the size of the file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The attributes of a model file or result file.
struct ResultSummary {
    enum class Kind { model, ranks, result } kind = Kind::model;
    std::string path;
    std::string version;       ///< version of the file format, such as "1.4"
    std::string program;       ///< name, version and revision of the program that wrote the file
    std::string content_hash;  ///< hash of all attributes, including the hashes of the arrays
    std::string graph_hash;    ///< hash of the graph from which the result was computed
    std::string hash;          ///< hash of the arrays and IDs
    std::string columns;       ///< columns of a result file with their types, such as "sum:u64,depth:u32"
    /// Numbers of rows and columns of a model. For other results, `rows` is the number of vertices and `cols`
    /// is 0.
    VertexId rows = 0, cols = 0;
    std::uint32_t rank = 0;        ///< rank (number of factors) of a model
    std::string row_ids, col_ids;  ///< descriptions of the IDs, as IdMap::describe() returns them
    std::map<std::string, std::string> parameters;
};

/// Reads and checks the attributes only; arrays are checked by the functions that read them. Returns
/// std::nullopt for a schedule file. Throws FormatError, also for a file that Lockstep has not written.
std::optional<ResultSummary> read_result_summary(const std::filesystem::path& path);

}  // namespace lockstep
