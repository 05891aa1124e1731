// The readers of graph files: one function per format, and a table of all formats.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "edges.hpp"
#include "input.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

/// Result of a reader: edges in input order, and the properties that the format declares.
struct Parsed {
    std::vector<Triple> edges;
    IdMap row_ids, col_ids;
    GraphShape shape = GraphShape::bipartite;
    bool undirected = false;  ///< every edge stands for both arcs, a self-loop for one arc
    bool weighted = false;
    EdgeId lines = 0;                      ///< number of lines, or of records of binary formats
    std::string note = {};                 ///< decisions that the user should know
    bool both_arcs = false;                ///< for undirected edges: `edges` already contains both arcs
    std::vector<std::int64_t> times = {};  ///< times of the edges, if they were requested
};

/// Arguments of a reader. The memory limit in `options` is filled in.
struct Job {
    Input& input;
    const ReadOptions& options;
    Budget& budget;
};

struct Format {
    const char* name;
    const char* description;
    Parsed (*read)(const Job&);
    bool delimited;  ///< the user may choose columns, delimiter and header
};

/// Returns all formats.
std::span<const Format> formats();

/// Returns the format of an input, detected by content and then by the suffix of its name. Throws
/// FormatError, with the kind of file, if it is a known kind that is not supported.
const Format& detect(const Input& input);
/// Returns true if the first lines of an input, which is a file in an archive, show that it contains a graph
/// or ratings: by its signature, by a header that names users, items and ratings, or by lines of numbers.
bool is_recognised(const Input& input);
/// Throws FormatError if the head of the input is that of a known kind of file that no reader supports.
void refuse_known_strangers(const Input& input);

Parsed read_matrix_market(const Job& job);
Parsed read_edge_list(const Job& job);
Parsed read_movielens_data(const Job& job);
Parsed read_movielens_dat(const Job& job);
Parsed read_movielens_csv(const Job& job);
Parsed read_libmf(const Job& job);
Parsed read_netflix(const Job& job);
Parsed read_cumf_binary(const Job& job);
Parsed read_gapbs_sg(const Job& job);
Parsed read_gapbs_wsg(const Job& job);
Parsed read_galois(const Job& job);
Parsed read_dimacs(const Job& job);
Parsed read_metis(const Job& job);

/// Returns the ids 1 … size, for formats that declare the number of vertices.
inline IdMap declared_ids(VertexId size) { return RangeIds{1, size}; }

}  // namespace lockstep::readers
