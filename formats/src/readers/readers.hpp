// The readers of graph files: one function per format, a table of the formats, and the conversion of what a
// reader returns to a dataset.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "edges.hpp"
#include "input.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

/// The result of a reader: the edges in input order, the IDs, and the properties that the file declares.
struct ParsedFile {
    std::vector<Triple> edges;
    IdMap row_ids, col_ids;
    GraphShape shape = GraphShape::bipartite;
    /// Whether every edge stands for two arcs, one in each direction; a self-loop stands for one.
    bool undirected = false;
    bool weighted = false;
    EdgeId lines = 0;       ///< number of lines, or of records of a binary format
    std::string note = {};  ///< message about decisions of the reader, for the user
    /// Whether `edges` already contains both arcs of each undirected edge.
    bool both_arcs = false;
    std::vector<std::int64_t> times = {};  ///< times of the edges, if the options request them
};

/// The arguments of a reader of a stream of bytes. `options` contains the memory limit.
struct Job {
    Input& input;
    const ReadOptions& options;
    MemoryBudget& budget;
};
/// The arguments of a reader that needs random access to a file: HDF5 and the archives of NumPy.
struct FileJob {
    const std::filesystem::path& path;
    const ReadOptions& options;
    MemoryBudget& budget;
};

/// A format and its reader, which is one of `read` and `read_file`.
struct Format {
    const char* name;
    const char* description;
    ParsedFile (*read)(const Job&) = nullptr;
    bool delimited = false;  ///< whether the user may choose columns, delimiter and header
    ParsedFile (*read_file)(const FileJob&) = nullptr;
};

/// Returns the table of formats.
std::span<const Format> formats();

/// Returns the format of an input, detected by its first bytes and then by the suffix of its name. Throws
/// FormatError with the kind of the file if it is a known kind that is not supported.
const Format& detect(const Input& input);
/// Returns the format of the file, detected by its first bytes, if it requires random access; otherwise, and
/// for a pipe, nullptr. Throws FormatError if the file is an HDF5 file of an unknown kind (with advice for
/// exporting the data), or if the user has requested another format.
const Format* random_access_format(const InputFile& file, const std::optional<std::string>& requested);
/// Returns "anndata" or "10x". Throws FormatError for any other HDF5 file.
const char* hdf5_format(const std::filesystem::path& path);
/// Returns whether the first lines of an input show that it contains a graph or ratings: by the signature of
/// a format, by a header that names users, items and ratings, or by lines of numbers. It is used to select a
/// file in an archive, and is stricter than detect(), which accepts any text as an edge list.
bool is_recognised(const Input& input);
/// Throws FormatError if the first bytes of the input are those of a known kind of file that no reader
/// supports.
void refuse_known_strangers(const Input& input);

ParsedFile read_matrix_market(const Job& job);
ParsedFile read_edge_list(const Job& job);
ParsedFile read_movielens_data(const Job& job);
ParsedFile read_movielens_dat(const Job& job);
ParsedFile read_movielens_csv(const Job& job);
ParsedFile read_libmf(const Job& job);
ParsedFile read_netflix(const Job& job);
ParsedFile read_cumf_binary(const Job& job);
ParsedFile read_gapbs_sg(const Job& job);
ParsedFile read_gapbs_wsg(const Job& job);
ParsedFile read_galois(const Job& job);
ParsedFile read_dimacs(const Job& job);
ParsedFile read_metis(const Job& job);
ParsedFile read_obj(const Job& job);
/// Reads NAME.ele of a Triangle mesh. Its points are numbered from 0 or from 1, like its triangles, as the
/// number of the first triangle shows.
ParsedFile read_triangles(const Job& job);
ParsedFile read_anndata(const FileJob& job);
ParsedFile read_10x(const FileJob& job);
ParsedFile read_npz(const FileJob& job);

/// Returns a graph with one set of vertices.
inline ParsedFile square_graph(std::vector<Triple> edges, RangeIds ids, EdgeId lines) {
    return {.edges = std::move(edges),
            .row_ids = ids,
            .col_ids = ids,
            .shape = GraphShape::square,
            .lines = lines};
}

/// Returns the options with the default memory limit filled in, if none is set. Throws Error (usage) for
/// options with which times could not be assigned to edges.
ReadOptions with_limit(ReadOptions options);
/// Builds a dataset from the result of a reader. `name` is the name of the input for messages, and `source`
/// contains its origin. Throws FormatError or Error (usage).
Dataset make_checked_dataset(ParsedFile parsed, const ReadOptions& options, const std::string& name,
                             Source source);

}  // namespace lockstep::readers
