// The readers of graph files that are read as streams of bytes: one function per format, and a table of the
// formats.
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

/// The arguments of a reader. `options` contains the memory limit.
struct Job {
    Input& input;
    const ReadOptions& options;
    MemoryBudget& budget;
};

/// A format and its reader.
struct Format {
    const char* name;
    const char* description;
    ParsedFile (*read)(const Job&);
    bool delimited;  ///< whether the user may choose columns, delimiter and header
};

/// Returns the table of formats.
std::span<const Format> formats();

/// Returns the format of an input, detected by its first bytes and then by the suffix of its name. Throws
/// FormatError with the kind of the file if it is a known kind that is not supported.
const Format& detect(const Input& input);
/// Returns whether the first lines of an input show that it contains a graph or ratings: by the signature of
/// a format, by a header that names users, items and ratings, or by lines of numbers. It is used to select a
/// file in an archive.
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

/// Returns the IDs 1 … size. Formats that declare the number of vertices number them in this way.
inline IdMap make_declared_ids(VertexId size) { return RangeIds{1, size}; }

}  // namespace lockstep::readers
