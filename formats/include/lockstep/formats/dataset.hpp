// A dataset as the user provides it: the CSR graph, the original IDs of its rows and columns, and the options
// with which it was read.
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

/// Origin of a dataset, and the decisions that the reader made. lockstep-inspect prints them.
struct Source {
    std::string path = {};    ///< path as the user gave it
    std::string format = {};  ///< name of the reader, e.g. "matrix-market"
    /// "none", or the names that libarchive uses, e.g. "xz", "zip: ratings.csv"
    std::string compression = {};
    std::string repeat_policy = {};  ///< name of the RepeatPolicy: "keep", …
    EdgeId lines = 0;                ///< number of lines of a text file, or of records of a binary file
    EdgeId repeats = 0;              ///< number of edges that repeat an earlier (row, column) pair
    EdgeId self_loops = 0;           ///< number of edges v -> v in a square graph
    double seconds = 0;              ///< time in seconds to read the file and to build the graph
    /// Message that names the columns that were found by their names in the header. It is not stored in any
    /// file.
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

/// Options of implicit feedback: observed edges get weight 1, and randomly sampled (row, column) pairs become
/// edges of weight 0 (feedback.hpp).
struct ImplicitFeedback {
    float least = std::numeric_limits<float>::lowest();  ///< edges of smaller weight are left out
    std::uint32_t drawn = 8;                             ///< number of sampled pairs per edge
    std::uint64_t seed = 1;
};

/// Options for reading an input file. Properties of the file that are not set here are detected.
struct ReadOptions {
    /// Name of the input format; default: detected by content, then by suffix.
    std::optional<std::string> format = {};
    std::optional<GraphShape> shape = {};  ///< default: the shape that the format prescribes, else bipartite
    bool undirected = false;  ///< whether every edge is added in both directions (only square graphs)
    /// `vertices`: a graph with one set of vertices, in which each edge is stored once, also if undirected.
    Ends ends = Ends::sides;
    RepeatPolicy repeats = RepeatPolicy::keep;
    // The following options apply to delimited text only (edge lists, csv, tsv).
    /// Column of the row IDs: name in the header, or number counted from 1; default: by header, else 1.
    std::optional<std::string> row_column = {};
    std::optional<std::string> col_column = {};  ///< column of the column IDs; default: by header, else 2
    /// Column of the weights; default: by header, else 3 if there are three columns; "none" ignores all
    /// weights.
    std::optional<std::string> value_column = {};
    /// Column of times, which are then kept with the edges: integers, or ISO 8601 dates (stored as seconds
    /// since 1970). "auto": the column whose name in the header means a time, or the column that the format
    /// defines. By default, times are not kept.
    std::optional<std::string> time_column = {};
    /// Character between fields; " " stands for any number of blanks; default: detected by content.
    std::optional<std::string> delimiter = {};
    std::optional<bool> header = {};  ///< whether the first line is a header; default: detected by content
    /// Whether the caller will match the IDs with those of a model. If so, the reader accepts a first line
    /// whose words occur in no other line as an edge, instead of throwing an error because it may be a
    /// header: the caller recognises a header, because the model does not contain its words as IDs.
    bool ids_are_matched = false;
    bool input_order = true;  ///< whether the graph stores the order of the input
    bool weights = true;  ///< whether weights are read; if not, columns after the IDs may contain any text
    bool nonnegative = false;  ///< refuses negative weights (for NMF)
    bool positive = false;     ///< refuses negative weights and zeros (for lengths)
    /// Converts the edges to implicit feedback after repeated pairs are treated.
    std::optional<ImplicitFeedback> feedback = {};
    /// Maximum number of bytes that the reader may allocate; 0 = physical memory.
    std::uint64_t memory_limit = 0;
    /// Name of the file to read if the input is an archive; default: its only file, or the only one that
    /// looks like a graph.
    std::optional<std::string> member = {};
    /// Function that is called between blocks of input and while the reader waits for a pipe, by one thread
    /// at a time. It may throw to stop read_dataset().
    void (*interruption)() = nullptr;

    /// Returns the minimum weight that is accepted.
    float min_weight() const {
        return positive      ? std::numeric_limits<float>::denorm_min()
               : nonnegative ? 0.0F
                             : std::numeric_limits<float>::lowest();
    }
};

/// Reads a graph or ratings file ("-" = standard input) in any of the formats of graph_formats(), plain,
/// compressed or in an archive. Throws FormatError, with path and line, if any part of the input does not
/// conform to the format. Takes O(edges) time and about 40 bytes per edge.
Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});
/// Reads a dataset from an open input. If the input is a pipe, the caller may have read only its first bytes
/// (InputFile::head).
Dataset read_dataset(InputFile& file, const ReadOptions& options = {});

/// Returns the names and one-line descriptions of the input formats.
const std::map<std::string, std::string>& graph_formats();

}  // namespace lockstep
