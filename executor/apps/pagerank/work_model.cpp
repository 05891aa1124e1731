#include "apps/pagerank/work_model.hpp"

namespace lockstep::pagerank {

Work work_of(const Strategy& strategy, EdgeId v, EdgeId e) {
    const EdgeId degrees_and_ranks = 12 * v;
    switch (strategy.traversal) {
        case Traversal::push:
            return {5 * v, 2 * v, v + e, degrees_and_ranks + 16 * v + 4 * e};
        case Traversal::edge_soa:
        case Traversal::edge_aos:
            return {3 * e + 2 * v, 2 * v, v + e, degrees_and_ranks + 16 * v + 8 * e};
        case Traversal::edge_tiled:
        case Traversal::bins:
            return {e + 2 * v, v, 0, degrees_and_ranks + 4 * v + 4 * e};
        default:
            if (strategy.prepared) return {e + 4 * v, 3 * v, v, degrees_and_ranks + 4 * v + 4 * e};
            return {3 * e + 2 * v, 3 * v, v, degrees_and_ranks + 4 * v + 4 * e};
    }
}

}  // namespace lockstep::pagerank
