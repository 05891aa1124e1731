// Connected components: the operator of label propagation, a serial reference, and the verification of
// labels. The reference and the verification share no code with the walks that compute components.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::cc {

/// The operator of label propagation: each vertex begins with its own index as its label, adopts the smallest
/// label of its neighbours, and passes each new label to all neighbours.
struct Labels {
    using Value = std::uint32_t;
    static constexpr bool weighted = false, by_rounds = false, by_priority = false, everywhere = true;
    static constexpr Value most = std::numeric_limits<Value>::max() - 1;
    LOCKSTEP_HD static constexpr Value none() { return most + 1; }
    LOCKSTEP_HD static constexpr Value start(VertexId vertex = 0, EdgeId = 0) { return vertex; }
    LOCKSTEP_HD static bool active(Value) { return true; }
    LOCKSTEP_HD static Value offer(Value label, float) { return label; }
    LOCKSTEP_HD static bool can_improve(Value label) { return label > 0; }
};

/// Returns the label of each vertex: the smallest vertex that is connected with it, regardless of the
/// direction of arcs. A breadth-first search begins at each vertex without a label, in ascending order; on a
/// directed graph it also follows reversed arcs. Serial, O(arcs).
std::vector<std::uint32_t> compute_reference(const Graph& graph);

/// Verifies the labels of all vertices. Returns a description of the first error, or an empty string. The
/// labels are right if the endpoints of every arc have equal labels, each label is the smallest vertex that
/// has the label, and there are as many different labels as components. A union-find with path halving counts
/// the components. Serial, near O(arcs).
std::string find_problem(const Graph& graph, const std::vector<std::uint32_t>& labels);

}  // namespace lockstep::cc
