#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hdf5.hpp"

namespace lockstep {

namespace {

/// Throws hdf5::Hdf5Error unless `order` is empty or a permutation of 0 … size - 1.
template <class Id>
void check_permutation(std::span<const Id> order, EdgeId size, const std::string& what) {
    if (order.empty()) return;
    if (order.size() != size || !is_permutation(order)) {
        throw hdf5::Hdf5Error(fmt::format("{} is not a permutation of 0 … {}", what, EdgeId{size} - 1));
    }
}

}  // namespace

void check_offsets(std::span<const EdgeId> offsets, EdgeId size, const std::string& what) {
    if (offsets.empty()) return;
    bool monotone = offsets.front() == 0 && offsets.back() == size;
#pragma omp parallel for simd reduction(&& : monotone)
    for (std::size_t i = 1; i < offsets.size(); ++i) monotone = monotone && offsets[i - 1] <= offsets[i];
    if (!monotone)
        throw hdf5::Hdf5Error(fmt::format("{} do not increase monotonically from 0 to {}", what, size));
}

void check_vertex_orders(const Schedule& s, const Graph& graph, const std::string& path) {
    check_permutation<VertexId>(s.row_order, graph.rows, path + "/row_order");
    check_permutation<VertexId>(s.col_order, graph.cols, path + "/col_order");
    check_offsets(s.row_parts, s.row_order.size(), path + "/row_parts");
    check_offsets(s.col_parts, s.col_order.size(), path + "/col_parts");
}

void check_schedule(const Schedule& s, const Graph& graph, const std::string& path) {
    check_permutation<EdgeId>(s.order, graph.edges(), path + "/order");
    if (s.locked > s.order.size()) throw hdf5::Hdf5Error(path + " has more locked edges than edges");
    EdgeId inner = s.order.size() - s.locked;
    for (auto l = all_levels.rbegin(); l != all_levels.rend(); ++l) {
        check_offsets(s.level(*l), inner, fmt::format("{}/{}_offsets", path, to_string(*l)));
        if (s.has(*l)) inner = s.count(*l);
    }
    if (std::any_of(s.residents.begin(), s.residents.end(), [&](VertexId v) { return v >= graph.cols; })) {
        throw hdf5::Hdf5Error(path + "/residents has a column out of range");
    }
    if (!s.resident_offsets.empty() && s.resident_offsets.size() != s.count(Level::block) + 1)
        throw hdf5::Hdf5Error(path + "/resident_offsets do not have one entry per block");
    if (s.resident_offsets.empty() && !s.residents.empty())
        throw hdf5::Hdf5Error(path + "/resident_offsets are missing");
    check_offsets(s.resident_offsets, s.residents.size(), path + "/resident_offsets");
    check_vertex_orders(s, graph, path);
}

}  // namespace lockstep
