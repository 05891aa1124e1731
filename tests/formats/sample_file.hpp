// A small schedule file that contains every kind of data, and a comparison of its contents.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lockstep/formats/schedule_file.hpp"
#include "support.hpp"

namespace lockstep::test {

/// Returns the sorted names of the entries of a folder.
inline std::vector<std::string> entries(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

inline Schedule every_level(const Graph& graph) {
    // The levels block ⊃ phase ⊃ tile ⊃ step ⊃ task ⊃ edge are nested, with two units per level. The first
    // edge of `order` is locked.
    Schedule s;
    s.name = "every-level";
    s.disjoint = Disjoint::col;
    s.locked = 1;
    for (EdgeId e = graph.edges(); e-- > 0;) s.order.push_back(e);
    s.level(Level::task) = {0, 1, graph.edges() - 1};
    for (const Level l : {Level::block, Level::phase, Level::tile, Level::step}) s.level(l) = {0, 1, 2};
    s.residents = {3, 1, 0, 2};
    s.resident_offsets = {0, 2, 4};
    s.row_order = {5, 0, 1, 2, 4, 3};
    s.col_order = {3, 2, 1, 0};
    s.row_parts = {0, 6};
    s.col_parts = {0, 1, 1, 4};
    s.parameters = {{"empty", ""}, {"seed", "7"}, {"wörter", "größer ✓"}};
    return s;
}

inline Schedule one_edge_a_round(const Graph& graph) {
    Schedule s;
    s.name = "serial";
    s.disjoint = Disjoint::both;
    for (EdgeId e = 0; e < graph.edges(); ++e) s.order.push_back(e), s.level(Level::phase).push_back(e);
    s.level(Level::phase).push_back(graph.edges());
    return s;
}

inline Dataset sample_dataset() {
    Dataset d;
    d.graph = paper_graph();
    d.row_ids = IntegerIds{{-5, 0, 3, 17, 1'000'000'000'000, 1'000'000'000'001}};
    d.col_ids = StringIds{"abcÄzz", {0, 0, 1, 3, 7}};  // "", "a", "bc", "Äzz"
    d.source = {"ratings, 1.csv", "csv", "zip: ratings.csv", "keep", 13, 1, 2, 0.25};
    return d;
}

inline std::vector<TimedSchedule> sample_schedules(const Graph& graph) {
    return {{one_edge_a_round(graph), 0.5}, {every_level(graph), 0.75}};
}

/// Returns everything that was read as text. Two files are equal if their fingerprints are equal.
inline std::string fingerprint(const ScheduleFileSummary& s) {
    std::string text =
        fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", s.version, s.program, s.graph_hash, s.rows,
                    s.cols, s.edges, s.max_degree.row, s.max_degree.col, static_cast<int>(s.shape),
                    s.directed, s.weighted, s.row_ids, s.col_ids, s.content_hash);
    text += fmt::format("{} {} {} {} {} {} {} {}\n", s.source.path, s.source.format, s.source.compression,
                        s.source.repeat_policy, s.source.lines, s.source.repeats, s.source.self_loops,
                        s.source.seconds);
    text +=
        fmt::format("{} {} {} {}\n", s.seconds.read, s.seconds.schedule, s.seconds.verify, s.seconds.write);
    for (const auto& c : s.schedules) {
        const auto& t = c.statistics;
        text += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}\n", c.name, c.seconds, c.hash,
                            static_cast<int>(c.disjoint), c.maximal, c.locked, t.rounds, t.min_round,
                            t.median_round, t.max_round, t.mean_round, fmt::join(t.histogram, " "));
        for (const auto& [name, value] : c.parameters) text += name + "=" + value + "\n";
    }
    return text;
}

inline std::string fingerprint(const ScheduleFile& f) {
    const Graph& g = f.dataset.graph;
    std::string text = fingerprint(f.summary) + graph_hash(f.dataset);
    text += fmt::format("\n{} {} {} {}\n", fmt::join(g.row_offsets, " "), fmt::join(g.col, " "),
                        fmt::join(g.value, " "), fmt::join(g.input_order, " "));
    for (VertexId v = 0; v < g.rows; ++v) text += f.dataset.row_ids.name(v) + ";";
    for (VertexId v = 0; v < g.cols; ++v) text += f.dataset.col_ids.name(v) + ";";
    for (const auto& [s, seconds] : f.schedules) {
        text += fmt::format("\n{} {} {} {} {} {}\n", s.name, seconds, static_cast<int>(s.disjoint), s.maximal,
                            s.locked, fmt::join(s.order, " "));
        for (const auto& offsets : s.offsets) text += fmt::format("{}\n", fmt::join(offsets, " "));
        text += fmt::format("{} / {} / {} / {} / {} / {}\n", fmt::join(s.residents, " "),
                            fmt::join(s.resident_offsets, " "), fmt::join(s.row_order, " "),
                            fmt::join(s.col_order, " "), fmt::join(s.row_parts, " "),
                            fmt::join(s.col_parts, " "));
        for (const auto& [name, value] : s.parameters) text += name + "=" + value + "\n";
    }
    return text;
}

}  // namespace lockstep::test
