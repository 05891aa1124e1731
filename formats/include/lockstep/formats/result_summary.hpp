// What a model, a file of ranks or another result says of itself, without its arrays.
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
    std::string version;           ///< of the format, "1.4"
    std::string program;           ///< name, version and revision that wrote it
    std::string content_hash;      ///< of all attributes, the hashes of the arrays among them
    std::string graph_hash;        ///< of the graph that it was made of
    std::string hash;              ///< of what it holds
    std::string columns;           ///< of a result: "sum:u64,depth:u32"
    VertexId rows = 0, cols = 0;   ///< but of a model: `cols` is 0, all vertices are rows
    std::uint32_t rank = 0;        ///< of a model
    std::string row_ids, col_ids;  ///< IdMap::describe
    std::map<std::string, std::string> parameters;
};

/// Nothing for a schedule file. Reads and checks the attributes alone; the arrays are checked by whoever
/// reads them. Throws FormatError, also for a file that is none of Lockstep's.
std::optional<ResultSummary> read_result_summary(const std::filesystem::path& path);

}  // namespace lockstep
