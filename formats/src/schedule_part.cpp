#include "lockstep/formats/schedule_part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "file_parts.hpp"
#include "lockstep/schedules/tile_grid.hpp"
#include "schedule_reading.hpp"
#include "schema.hpp"

namespace lockstep {

using hdf5::EntryRange;
using hdf5::Hdf5Error;

namespace {

/// Reads the edges of those rows of the graph that belong to this part.
void read_rows(hdf5::Reader& reader, EdgeId part, EdgeId parts, SchedulePart& into) {
    const ScheduleFileSummary& summary = into.summary;
    Graph& graph = into.dataset.graph = graph_of(summary);
    graph.row_offsets = reader.read<std::vector<EdgeId>>("graph/indptr", EdgeId{summary.rows} + 1);
    check_offsets(graph.row_offsets, summary.edges, "/graph/indptr");
    for (EdgeId p = 0; p <= parts; ++p)
        into.first_of.push_back(*std::ranges::lower_bound(graph.row_offsets, summary.edges * p / parts));
    const EdgeId first = into.first_of[part], end = into.first_of[part + 1];
    const std::vector<EntryRange> own{{first, end}};
    graph.col = reader.read<Array<VertexId>>("graph/indices", own);
    if (summary.weighted) graph.value = reader.read<Array<float>>("graph/data", own);
    for (EdgeId& offset : graph.row_offsets) offset = std::clamp(offset, first, end) - first;
    validate(graph);
}

/// Reads the offsets of the levels of a tiled schedule, from tiles down to tasks, but only those that belong
/// to the tiles of one part. `ranges_` are the positions of these units in the arrays of the file.
class Descent {
public:
    /// Constructs a descent that starts at the given ranges of tiles, one range per phase.
    explicit Descent(std::vector<EntryRange> ranges) : ranges_(std::move(ranges)) {}

    /// Reads the offsets of the units in the current ranges from the array `path`. Returns them as offsets
    /// that count only these units and begin with 0. Replaces the ranges by the corresponding ranges of the
    /// next level.
    std::vector<EdgeId> descend(hdf5::Reader& reader, const std::string& path) {
        // The end of the last unit is the next offset, so each range is one entry longer. Adjacent ranges
        // share this entry.
        std::vector<EntryRange> with_ends;
        for (const EntryRange& range : ranges_) {
            if (!with_ends.empty() && range.begin <= with_ends.back().end)
                with_ends.back().end = std::max(with_ends.back().end, range.end + 1);
            else
                with_ends.push_back({range.begin, range.end + 1});
        }
        const auto offsets = reader.read<std::vector<EdgeId>>(path, with_ends);
        if (offsets.empty()) throw Hdf5Error("there is no dataset /" + path + "; is the file complete?");
        std::vector<EdgeId> local{0};
        std::vector<EntryRange> inner;
        auto stored = with_ends.begin();
        std::size_t before = 0;  // number of entries of all stored ranges before `stored`
        for (EntryRange& range : ranges_) {
            while (range.begin >= stored->end) before += stored->end - stored->begin, ++stored;
            const EdgeId* const of = offsets.data() + before + (range.begin - stored->begin);
            const EdgeId units = range.end - range.begin;
            for (EdgeId i = 0; i < units; ++i) {
                if (of[i] > of[i + 1]) throw Hdf5Error("/" + path + " does not increase monotonically");
                local.push_back(local.back() + of[i + 1] - of[i]);
            }
            range = {of[0], of[units]};
        }
        return local;
    }
    const std::vector<EntryRange>& ranges() const { return ranges_; }

private:
    std::vector<EntryRange> ranges_;
};

/// Reads the tiles of this part, with their steps, tasks and edges.
void read_tiles(hdf5::Reader& reader, EdgeId part, EdgeId parts, SchedulePart& into) {
    const ScheduleSummary& summary = find_schedule(into.summary, into.timed.schedule.name);
    const std::string path = "schedules/" + summary.name + "/", whole = "/schedules/" + summary.name;
    Schedule& s = into.timed.schedule = schedule_of(summary);
    into.timed.seconds = summary.seconds;
    const auto read = [&]<class Values>(const char* name, Values& values) {
        values = reader.read<Values>(path + name);
    };
    read("block_offsets", s.level(Level::block)), read("phase_offsets", s.level(Level::phase));
    read("tile_offsets", s.level(Level::tile));
    read("row_order", s.row_order), read("col_order", s.col_order);
    read("row_parts", s.row_parts), read("col_parts", s.col_parts);
    const TileGrid grid = tile_grid(s);
    if (grid.groups < parts) {
        throw ScheduleError(fmt::format(
            "{} processes need at least one group each, but the schedule has {}; preprocess with --gpus {}",
            parts, grid.groups, parts));
    }
    std::vector<EntryRange> own;
    for (EdgeId t = 0; t < grid.phases(); ++t) {
        const EdgeId before = t * grid.side_by_side();
        own.push_back({before + grid.groups * part / parts * grid.item_blocks,
                       before + grid.groups * (part + 1) / parts * grid.item_blocks});
    }
    Descent descent(own);
    const std::vector<EdgeId> tiles = descent.descend(reader, path + "tile_offsets");
    s.level(Level::step) = descent.descend(reader, path + "step_offsets");
    s.level(Level::task) = descent.descend(reader, path + "task_offsets");
    s.order = reader.read<Array<EdgeId>>(path + "order", descent.ranges());

    // The schedule gets all tiles, but the tiles of other parts have no steps.
    std::vector<EdgeId>& offsets = s.level(Level::tile);
    auto ours = own.begin();
    EdgeId next = 0;
    for (EdgeId tile = 0; tile < grid.tiles(); ++tile) {
        while (ours != own.end() && tile >= ours->end) ++ours;
        offsets[tile] = tiles[next];
        if (ours != own.end() && tile >= ours->begin) ++next;
    }
    offsets[grid.tiles()] = tiles[next];
    check_vertex_orders(s, into.dataset.graph, whole);
}

}  // namespace

SchedulePart read_schedule_part(const std::filesystem::path& path, const std::string& name, EdgeId part,
                                EdgeId parts) {
    return hdf5::reading(path, [&] {
        hdf5::Reader reader(path, schema::schedules_format);
        SchedulePart result;
        result.summary = summarise_file(path, reader.root());
        result.timed.schedule.name = name;
        const hdf5::Node& group = reader.root().child("graph");
        Dataset& dataset = result.dataset;
        dataset.row_ids = read_ids(reader, group.child("row_ids"), result.summary.rows);
        dataset.col_ids = read_col_ids(reader, group.child("col_ids"), result.summary.cols, dataset.row_ids);
        dataset.source = result.summary.source;
        read_rows(reader, part, parts, result);
        read_tiles(reader, part, parts, result);
        return result;
    });
}

}  // namespace lockstep
