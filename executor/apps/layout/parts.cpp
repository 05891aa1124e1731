#include "apps/layout/parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/executor/structure/components.hpp"

namespace lockstep::layout {

Parts parts_of(const Graph& graph, int threads) {
    Parts parts;
    const VertexId vertices = graph.rows;
    std::vector<VertexId> order(vertices), size(vertices, 0);
    const structure::Undirected whole = structure::make_undirected(graph, false);
    std::vector<std::uint32_t> root(vertices, 0);
    if (vertices > 0) root = structure::components_on_cpu(whole, threads).run().values;
    for (const VertexId r : root) ++size[r];
    std::iota(order.begin(), order.end(), VertexId{0});
    std::stable_sort(order.begin(), order.end(), [&](VertexId a, VertexId b) {
        return size[root[a]] != size[root[b]] ? size[root[a]] > size[root[b]] : root[a] < root[b];
    });
    for (VertexId p = 0; p < vertices; ++p) {
        if (p == 0 || root[order[p]] != root[order[p - 1]]) parts.first.push_back(p);
    }
    parts.first.push_back(vertices);
    parts.graph = structure::make_undirected(graph, true, order);
    const auto& weights = parts.graph.weights;
    if (!weights.empty())
        parts.scale = std::exp2(-std::ilogb(*std::max_element(weights.begin(), weights.end())));
    return parts;
}

void place_side_by_side(std::vector<Positions>& drawings, const Parts& parts, float gap) {
    struct Box {
        float low[max_dimensions], high[max_dimensions];
    };
    std::vector<Box> boxes;
    double area = 0;
    for (std::size_t i = 0; i < drawings.size(); ++i) {
        const Positions& p = drawings[i];
        Box box{};
        for (int k = 0; k < p.dimensions; ++k) {
            const auto begin = p.x.begin() + std::ptrdiff_t{p.places} * k;
            const auto [low, high] = std::minmax_element(begin, begin + parts.component(i).vertices);
            box.low[k] = *low, box.high[k] = *high;
        }
        area += double{box.high[0] - box.low[0] + gap} * (box.high[1] - box.low[1] + gap);
        boxes.push_back(box);
    }
    const auto width = static_cast<float>(1.2 * std::sqrt(area));
    float corner[max_dimensions] = {0, 0, 0}, row = 0;
    for (std::size_t i = 0; i < drawings.size(); ++i) {
        const Box& box = boxes[i];
        if (corner[0] > 0 && corner[0] + box.high[0] - box.low[0] > width)
            corner[0] = 0, corner[1] += row + gap, row = 0;
        Positions& p = drawings[i];
        for (int k = 0; k < p.dimensions; ++k) {
            for (VertexId v = 0; v < p.places; ++v) p.at(k, v) += corner[k] - box.low[k];
        }
        corner[0] += box.high[0] - box.low[0] + gap;
        row = std::max(row, box.high[1] - box.low[1]);
    }
}

}  // namespace lockstep::layout
