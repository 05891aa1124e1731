// The readers of graph files: one function a format, one table of all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "edges.hpp"
#include "input.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

/// What a reader hands over: edges in input order, and what the format says about them.
struct Parsed {
    std::vector<Triple> edges;
    IdMap row_ids, col_ids;
    GraphShape shape = GraphShape::bipartite;
    bool undirected = false;  ///< every edge stands for both arcs, a self-loop for one
    bool weighted = false;
    EdgeId lines = 0;                      ///< lines, or records of binary formats
    std::string note = {};                 ///< what was decided and the user should know
    bool both_arcs = false;                ///< of undirected edges: `edges` has both already
    std::vector<std::int64_t> times = {};  ///< of the edges, where they were asked for
};

/// What a reader works with; `options` has its memory limit filled in.
struct Job {
    Input& input;
    const ReadOptions& options;
    Budget& budget;
};

struct Format {
    const char* name;
    const char* description;
    Parsed (*read)(const Job&);
    bool delimited;  ///< columns, delimiter and header may be chosen
};

/// All formats.
std::span<const Format> formats();

/// The format of an input, by content and then by the suffix of its name. Throws FormatError naming
/// what it is where that is known and not read.
const Format& detect(const Input& input);
/// Whether an input, a file among others in an archive, says by its first lines that it is a graph or
/// ratings: by its magic words, a header that names users, items and ratings, or lines of numbers.
bool is_recognised(const Input& input);
/// Throws FormatError when the head of the input is a known thing that no reader takes.
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

/// Ids 1 … size, of formats that declare it.
inline IdMap declared_ids(VertexId size) { return RangeIds{1, size}; }

}  // namespace lockstep::readers
