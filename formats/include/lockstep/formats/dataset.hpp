// A dataset as the user provides it: the CSR graph, the original ids of both sides, and how it was read.
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "lockstep/formats/id_map.hpp"
#include "lockstep/formats/input_file.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Origin of a dataset and decisions made while reading it; printed by `inspect`.
struct Source {
    std::string path;           ///< path as the user gave it
    std::string format;         ///< name of the reader, e.g. "matrix-market"
    std::string compression;    ///< "none", or the names that libarchive uses, e.g. "xz", "zip: ratings.csv"
    std::string repeat_policy;  ///< name of the RepeatPolicy: "keep", …
    EdgeId lines = 0;           ///< number of lines read (of records for binary formats)
    EdgeId repeats = 0;         ///< number of occurrences of a (row, column) pair beyond the first
    EdgeId self_loops = 0;      ///< number of edges v -> v in a square graph
    double seconds = 0;         ///< time to read and index
    /// Columns that were chosen by header name, for the user's information; not stored in any file.
    std::string note = {};
    /// Number of files in the archive that contains the input; 0 if the input is not an archive.
    EdgeId archive_files = 0;
    EdgeId drawn = 0;  ///< number of edges of weight 0 that were sampled for implicit feedback (feedback.hpp)
    float least = 0;   ///< minimum weight of an observed edge, if `drawn` > 0
};

struct Dataset {
    Graph graph;
    IdMap row_ids;
    IdMap col_ids;  ///< equal to row_ids for square graphs
    Source source;
    std::vector<std::int64_t> times = {};  ///< times of the edges, if ReadOptions::time_column requests them
};

/// Implicit feedback: edges are observations, and absent pairs are sampled as edges of weight 0
/// (feedback.hpp).
struct ImplicitFeedback {
    float least = std::numeric_limits<float>::lowest();  ///< edges of smaller weight are left out
    std::uint32_t drawn = 8;                             ///< number of sampled pairs per edge
    std::uint64_t seed = 1;
};

/// Options for reading an input file. Everything that is left unset is detected.
struct ReadOptions {
    /// Name of a reader; default: detected by content, then by suffix.
    std::optional<std::string> format = {};
    std::optional<GraphShape> shape = {};  ///< default: the shape that the format prescribes, else bipartite
    bool undirected = false;               ///< add every edge in both directions (square graphs)
    Ends ends = Ends::sides;  ///< `vertices`: one set of vertices, each edge stored once, also if undirected
    RepeatPolicy repeats = RepeatPolicy::keep;
    // The following options apply to delimited text only (edge lists, csv, tsv).
    /// Header name or 1-based number; default: by header, else 1.
    std::optional<std::string> row_column = {};
    std::optional<std::string> col_column = {};  ///< default: by header, else 2
    /// default: 3 if there is such a column; "none" ignores it.
    std::optional<std::string> value_column = {};
    /// Column of times, which are then kept: integers or ISO 8601 dates (stored as seconds since 1970).
    /// "auto": the column that the header or the format names. Default: times are not kept.
    std::optional<std::string> time_column = {};
    /// delimiter; " " for runs of blanks; default: detected by content.
    std::optional<std::string> delimiter = {};
    std::optional<bool> header = {};  ///< the first line is a header; default: detected by content
    /// True if the ids will be matched with those of a model, which detects a header because its names are
    /// unknown ids. A first line of words that occur in no other line is then read as an edge instead of
    /// being refused.
    bool ids_are_matched = false;
    bool input_order = true;   ///< false: the graph does not store the order of the input
    bool weights = true;       ///< false: delimited text may have any columns after the ids
    bool nonnegative = false;  ///< refuse negative weights (for NMF)
    bool positive = false;     ///< also refuse zero weights (for lengths)
    std::optional<ImplicitFeedback> feedback = {};  ///< implicit feedback, applied after `repeats`
    /// Maximum number of bytes that the reader may allocate; 0: physical memory.
    std::uint64_t memory_limit = 0;
    /// File in an archive to read; default: the only file, or the only one recognised as a graph.
    std::optional<std::string> member = {};
    /// Callback that is called between blocks and while waiting for a pipe. Its exceptions leave
    /// read_dataset.
    void (*interruption)() = nullptr;

    /// Returns the minimum weight that is accepted.
    float least_weight() const {
        return positive      ? std::numeric_limits<float>::denorm_min()
               : nonnegative ? 0.0F
                             : std::numeric_limits<float>::lowest();
    }
};

/// Reads a graph or ratings file ("-" = standard input) in any of the formats of `graph_formats()`, plain,
/// compressed or in an archive. Strict: throws FormatError with path and line on anything that it does not
/// understand. Takes O(edges) time and about 40 bytes per edge while reading.
Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});
/// Reads a dataset from an open input. If the input is a pipe, only its head may have been read before.
Dataset read_dataset(InputFile& file, const ReadOptions& options = {});

/// Returns the names and one-line descriptions of the input formats.
const std::map<std::string, std::string>& graph_formats();

}  // namespace lockstep
