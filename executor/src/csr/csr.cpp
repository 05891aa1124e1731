#include "lockstep/executor/csr/csr.hpp"

#include <algorithm>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

Offsets::Offsets(const std::vector<EdgeId>& offsets) : low(offsets.size()) {
    if (!offsets.empty() && offsets.back() >> 40)
        throw Error(Failure::bad_input, "applications on arcs are limited to graphs of 2^40 edges");
    const bool wide = !offsets.empty() && offsets.back() >> 32;
    if (wide) high.resize(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        low[i] = static_cast<std::uint32_t>(offsets[i]);
        if (wide) high[i] = static_cast<std::uint8_t>(offsets[i] >> 32);
    }
}

Csr transpose_arcs(const Csr& arcs, VertexId vertices) {
    const EdgeId count = arcs.arcs();
    Array<VertexId> source(count);
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId u = 0; u < vertices; ++u) {
        for (const EdgeId e : arcs.edges_of(u)) source[e] = u;
    }
    Array<EdgeId> from(count);
    const std::vector<EdgeId> offsets = group_ids(
        count, vertices, [&](EdgeId e) { return arcs.ends[e]; }, [](EdgeId e) { return e; }, count,
        from.data());
    Csr in{Offsets(offsets), Array<VertexId>(count), Array<float>(arcs.weights.size())};
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < count; ++i) {
        in.ends[i] = source[from[i]];
        if (!in.weights.empty()) in.weights[i] = arcs.weights[from[i]];
    }
    return in;
}

}  // namespace lockstep
