// Every schedule builder and the registry that names them. A builder is a pure function of the graph
// and its options: same input, same schedule, for any number of threads.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Parameters of the builders; each builder records those it used in Schedule::parameters.
struct BuildOptions {
    VertexId workers = 16896;       ///< T of AGM-N and SGM: items of one block, i.e. hardware workers
    VertexId block_rows = 0;        ///< BlkDiag: rows of a block (R); 0 = chosen from the graph
    VertexId block_cols = 0;        ///< BlkDiag: columns of a block (C); 0 = chosen from the graph
    VertexId parts = 64;            ///< METIS: number of parts
    VertexId hub_items = 0;         ///< EL+SGM: items under locks; 0 = chosen from the degrees
    std::uint64_t seed = 1;         ///< shuffle and METIS
};

/// Maximal matchings M_0, M_1, … of Algorithm 1 (Kaleem et al., III-A) by one pass of first-fit edge
/// colouring: matching[e] for every edge. O(edges) for skewed graphs; see first_fit.hpp.
std::vector<VertexId> maximal_matchings(const Graph& graph);
/// Algorithm 1 read literally (repeat: take a maximal matching, remove it): the same classes, in
/// O(edges x matchings). The oracle and the yardstick of `maximal_matchings`.
std::vector<VertexId> repeated_maximal_matchings(const Graph& graph);

Schedule build_agm_e(const Graph&, const BuildOptions&);    ///< III-A.1: matching after matching
Schedule build_agm_n(const Graph&, const BuildOptions&);    ///< III-A.2: blocks of T items, all-graph matchings
Schedule build_sgm(const Graph&, const BuildOptions&);      ///< III-A.3: matchings of each block of T items
Schedule build_diag(const Graph&, const BuildOptions&);     ///< III-B.1: row - column constant
Schedule build_blkdiag(const Graph&, const BuildOptions&);  ///< III-B.2: blocks on one block-diagonal
Schedule build_shuffle(const Graph&, const BuildOptions&);  ///< IV-A: random edge order for EL
Schedule build_el_sgm(const Graph&, const BuildOptions&);   ///< V-B: hubs first under locks, the rest SGM
Schedule build_degree(const Graph&, const BuildOptions&);   ///< vertices by decreasing degree
Schedule build_metis(const Graph&, const BuildOptions&);    ///< vertices by METIS part

/// A schedule that can be asked for by name.
struct Builder {
    const char* name;
    const char* summary;
    Schedule (*build)(const Graph&, const BuildOptions&);
    EdgeId bytes_per_edge;  ///< peak working memory of the builder, an edge
};
std::span<const Builder> builders();
/// Throws Error (usage) listing the known names.
const Builder& find_builder(const std::string& name);

}  // namespace lockstep
