#include "lockstep/executor/layout/paths.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace lockstep::layout {

namespace {
constexpr double unreached = std::numeric_limits<double>::infinity();
}

Paths::Paths(const Component& component)
    : component_(component), distance_(component.vertices), queue_(component.vertices) {}

std::span<const double> Paths::from(VertexId source) {
    std::fill(distance_.begin(), distance_.end(), unreached);
    distance_[source] = 0;
    component_.graph.weights ? search_by_weight(source) : search_breadth_first(source);
    return distance_;
}

void Paths::search_breadth_first(VertexId source) {
    VertexId* last = queue_.data();
    *last++ = source;
    for (const VertexId* next = queue_.data(); next != last; ++next) {
        const double further = distance_[*next] + component_.scale;
        for (const VertexId end : component_.graph.neighbours(component_.first + *next)) {
            const VertexId v = end - component_.first;
            if (distance_[v] != unreached) continue;
            distance_[v] = further;
            *last++ = v;
        }
    }
}

void Paths::search_by_weight(VertexId source) {
    heap_.assign(1, {0.0, source});
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        const auto [distance, v] = heap_.back();
        heap_.pop_back();
        if (distance > distance_[v]) continue;
        component_.for_each_neighbour(v, [&, reached = distance](VertexId u, double length) {
            if (reached + length >= distance_[u]) return;
            distance_[u] = reached + length;
            heap_.emplace_back(distance_[u], u);
            std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
        });
    }
}

}  // namespace lockstep::layout
