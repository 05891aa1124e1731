// Code that the writer and the reader of schedule files share: the names of the arrays, and the hashes of
// graphs and schedules, which are computed from the hashes of the arrays.
#pragma once

#include <array>

#include "file_parts.hpp"
#include "hdf5.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

inline constexpr std::size_t max_schedules = 256;
/// The values of the attribute `kind` of a graph. "vertices" is a square graph with one set of vertices.
inline constexpr std::array<std::string_view, 3> kinds{"bipartite", "square", "vertices"};
inline std::size_t kind_of(const Graph& graph) {
    return graph.ends == Ends::vertices ? 2 : static_cast<std::size_t>(graph.shape);
}
inline const std::array<std::string_view, 4> disjoint_words{
    to_string(Disjoint::none), to_string(Disjoint::row), to_string(Disjoint::col), to_string(Disjoint::both)};

/// Calls visit(name, array) for each array of a schedule. The name is that of the array in the file.
template <class AnySchedule, class Visit>
void for_each_array(AnySchedule& s, Visit&& visit) {
    visit("order", s.order);
    for (const Level l : all_levels) visit(std::string(to_string(l)) + "_offsets", s.level(l));
    visit("residents", s.residents);
    visit("resident_offsets", s.resident_offsets);
    visit("row_order", s.row_order);
    visit("col_order", s.col_order);
    visit("row_parts", s.row_parts);
    visit("col_parts", s.col_parts);
}

/// Returns the hash of a schedule. hash_of(name, array) must return the hash of each of its arrays.
template <class HashOf>
std::string hash_of_schedule(const Schedule& schedule, HashOf&& hash_of) {
    ContentHash hash;
    const EdgeId claims[] = {static_cast<EdgeId>(schedule.disjoint), schedule.maximal, schedule.locked};
    hash.add(std::span<const EdgeId>(claims));
    for_each_array(schedule, [&](const std::string& name, const auto& array) {
        hash.add(name);
        hash.add(hash_of(name, array));
    });
    return hash.hex();
}

/// Returns the hash of a schedule, computed from the hashes that are stored in the attributes of its arrays
/// (`node`).
inline std::string stored_hash(const Schedule& schedule, const hdf5::Node& node) {
    return hash_of_schedule(schedule,
                            [&](const std::string& name, const auto&) { return node.array_hash(name); });
}

/// Calls visit(name, values) for each array of a graph, except the arrays of its IDs. The name is that of the
/// array in the file.
template <class Visit>
void for_each_graph_array(const Graph& graph, Visit&& visit) {
    visit("indptr", std::span(graph.row_offsets));
    visit("indices", std::span(graph.col));
    visit("data", std::span(graph.value));
    visit("input_order", std::span(graph.input_order));
}

/// Returns the hash of a graph. hash_of(path, values) must return the hash of each of its arrays.
template <class HashOf>
std::string hash_of_graph(const Dataset& dataset, HashOf&& hash_of) {
    const Graph& graph = dataset.graph;
    ContentHash hash;
    const EdgeId head[] = {graph.rows, graph.cols, kind_of(graph), graph.directed};
    hash.add(std::span<const EdgeId>(head));
    for_each_graph_array(graph,
                         [&](const std::string& name, auto values) { hash.add(hash_of(name, values)); });
    add_to_hash(hash, dataset.row_ids, "row_ids", hash_of);
    if (dataset.col_ids != dataset.row_ids) add_to_hash(hash, dataset.col_ids, "col_ids", hash_of);
    return hash.hex();
}

/// Returns the hash of a graph, computed from the hashes that are stored in the attributes of its arrays.
inline std::string stored_hash(const Dataset& dataset, const hdf5::Node& node) {
    return hash_of_graph(dataset,
                         [&](const std::string& path, const auto&) { return node.array_hash(path); });
}

}  // namespace lockstep
