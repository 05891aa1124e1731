// Connected components: the operator of label propagation, a serial reference, and the verification of
// labels. Reference and verification share no code with the walks that find components.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::cc {

/// Label propagation: a vertex takes the smallest label of its neighbours, and passes it on.
struct Labels {
    using Value = std::uint32_t;
    static constexpr bool weighted = false, by_rounds = false, by_priority = false, everywhere = true;
    static constexpr Value most = std::numeric_limits<Value>::max() - 1;
    LOCKSTEP_HD static constexpr Value none() { return most + 1; }
    LOCKSTEP_HD static constexpr Value start(VertexId vertex = 0, EdgeId = 0) { return vertex; }
    LOCKSTEP_HD static bool active(Value) { return true; }
    LOCKSTEP_HD static Value offer(Value label, float) { return label; }
    LOCKSTEP_HD static bool wants(Value label) { return label > 0; }
};

/// Returns the smallest vertex that each vertex is connected with, regardless of the direction of arcs. A
/// breadth-first search begins at each vertex that has no label yet; on a directed graph it follows reversed
/// arcs, too. Serial, O(arcs).
std::vector<std::uint32_t> compute_reference(const Graph& graph);

/// Returns the reason why these are not those labels; an empty string if they are: the endpoints of every arc
/// have one label, a label is the smallest vertex that has it, and there are as many labels as components,
/// which a union-find with path halving counts. Serial, near O(arcs).
std::string find_problem(const Graph& graph, const std::vector<std::uint32_t>& labels);

}  // namespace lockstep::cc
