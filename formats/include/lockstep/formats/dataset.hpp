// A graph as the user has it: the CSR graph, the original ids of both sides, and how it was read.
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

/// Where a dataset came from and what was decided while reading it; shown by `inspect`.
struct Source {
    std::string path;           ///< as the user gave it
    std::string format;         ///< name of the reader, e.g. "matrix-market"
    std::string compression;    ///< "none", or libarchive's words, e.g. "xz", "zip: ratings.csv"
    std::string repeat_policy;  ///< "keep", …
    EdgeId lines = 0;           ///< lines (records of binary formats) read
    EdgeId repeats = 0;         ///< occurrences of a (row, column) pair beyond the first
    EdgeId self_loops = 0;      ///< square graphs: edges v -> v
    double seconds = 0;         ///< time to read and index
    std::string note = {};      ///< which columns a header named, for the user to see; in no file
    EdgeId archive_files = 0;   ///< files in the archive that one was taken of, 0 where it was none
    EdgeId drawn = 0;           ///< edges of weight 0 that were drawn for implicit feedback, and
    float least = 0;            ///< the least weight that an edge was taken for (feedback.hpp)
};

struct Dataset {
    Graph graph;
    IdMap row_ids;
    IdMap col_ids;  ///< equal to row_ids for square graphs
    Source source;
    std::vector<std::int64_t> times = {};  ///< of every edge, where ReadOptions::time_column asks for them
};

/// Edges that say what was taken; pairs that are not there are drawn as zeros (feedback.hpp).
struct ImplicitFeedback {
    float least = std::numeric_limits<float>::lowest();  ///< lighter edges are left out
    std::uint32_t drawn = 8;                             ///< pairs for each edge
    std::uint64_t seed = 1;
};

/// What the user may say about an input file; everything is detected where it is left open.
struct ReadOptions {
    std::optional<std::string> format = {};  ///< name of a reader; default: by content, then by suffix
    std::optional<GraphShape> shape = {};    ///< default: what the format says, else bipartite
    bool undirected = false;                 ///< enter every edge in both directions (square graphs)
    Ends ends = Ends::sides;                 ///< vertices: of one set, every edge once, undirected ones too
    RepeatPolicy repeats = RepeatPolicy::keep;
    // Delimited text (edge lists, csv, tsv) only:
    std::optional<std::string> row_column = {};    ///< header name or 1-based number; default 1 or by header
    std::optional<std::string> col_column = {};    ///< default 2 or by header
    std::optional<std::string> value_column = {};  ///< default 3 where there is one; "none" ignores it
    /// Column of times, whole numbers or ISO 8601 dates (then seconds since 1970), which are kept; "auto": by
    /// the header, or the format's. Default: they are not.
    std::optional<std::string> time_column = {};
    std::optional<std::string> delimiter = {};  ///< " " = runs of blanks; default: by content
    std::optional<bool> header = {};            ///< default: by content
    /// The ids are matched with those of a model, which finds a header with unknown names: a first line of words that
    /// occur in no other line is then read as an edge instead of being refused.
    bool ids_are_matched = false;
    bool input_order = true;   ///< false: the graph forgets the order of the input
    bool weights = true;       ///< false: delimited text may have any columns behind the ids
    bool nonnegative = false;  ///< refuse negative weights (for NMF)
    bool positive = false;     ///< and zeros (for lengths)
    std::optional<ImplicitFeedback> feedback = {};  ///< of the edges that `repeats` leaves
    std::uint64_t memory_limit = 0;                 ///< bytes the reader may allocate; 0 = physical memory
    /// The file of an archive to read; default: the only one, or the only one recognised as a graph.
    std::optional<std::string> member = {};
    /// Called between blocks and while a pipe is waited for; what it throws comes out of read_dataset.
    void (*interruption)() = nullptr;

    /// Weights below it are refused.
    float least_weight() const {
        return positive      ? std::numeric_limits<float>::denorm_min()
               : nonnegative ? 0.0F
                             : std::numeric_limits<float>::lowest();
    }
};

/// Reads a graph or ratings file ("-" = standard input) in any of the formats of `graph_formats()`,
/// plain, compressed or in an archive. Strict: throws FormatError with path and line on
/// anything it does not understand. O(edges) time, about 40 bytes an edge while reading.
Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});
/// The same of an input that is open; of a pipe that has not been read beyond its head.
Dataset read_dataset(InputFile& file, const ReadOptions& options = {});

/// Names and one-line descriptions of the input formats.
const std::map<std::string, std::string>& graph_formats();

}  // namespace lockstep
