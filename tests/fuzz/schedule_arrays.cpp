// Fuzzes the readers and the checker with schedule files that have valid hashes but wrong contents. The input
// defines edits of a schedule made by a builder. The edited schedule is checked, written, and read back.
#include <algorithm>
#include <vector>

#include "../support/copied_file.hpp"
#include "fuzz.hpp"
#include "insight/build_options.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/verify.hpp"
#include "schedule_arrays.hpp"

using namespace lockstep;
namespace fs = std::filesystem;

namespace {

struct Built {
    Dataset dataset;
    std::vector<Schedule> schedules;
};

Built build_all() {
    std::vector<Triple> triples;
    for (VertexId i = 0; i < 60; ++i) triples.push_back({i * i % 11, (i * 7 + i / 11) % 11, 1});
    Built built{{build_graph(triples, 11, 11, {GraphShape::square, true, true}),
                 RangeIds{0, 11},
                 RangeIds{0, 11},
                 {}},
                {}};
    BuildOptions options = insight::default_build_options();
    options.workers = 4, options.item_blocks = 2, options.hub_items = 2, options.parts = 3;
    for (const Builder& builder : builders())
        built.schedules.push_back(builder.build(built.dataset.graph, options));
    return built;
}

/// Edits an array: sets, inserts, increments or erases an entry, swaps two entries, or clears the array.
template <class Values>
void edit(Values& values, fuzz::Source& input) {
    const std::uint8_t what = input.byte();
    const std::uint64_t place = input.number(), value = input.number();
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.empty() ? 0 : place % values.size());
    if (values.empty() || what % 8 == 1) {
        values.insert(at, static_cast<typename Values::value_type>(value));
    } else if (what % 8 == 2) {
        values.erase(at);
    } else if (what % 8 == 3) {
        std::swap(*at, values[value % values.size()]);
    } else if (what % 8 == 4) {
        values.clear();
    } else if (what % 8 == 5) {
        *at += 1;
    } else {
        *at = static_cast<typename Values::value_type>(value);
    }
}

void edit(Schedule& schedule, const std::vector<Schedule>& others, fuzz::Source& input) {
    const std::uint8_t what = input.byte() % 16;
    if (what < schedule.offsets.size()) return edit(schedule.offsets[what], input);
    switch (what) {
        case 5:
        case 6:
            return edit(schedule.order, input);
        case 7:
            return edit(schedule.residents, input);
        case 8:
            return edit(schedule.resident_offsets, input);
        case 9:
            return edit(schedule.row_order, input);
        case 10:
            return edit(schedule.col_order, input);
        case 11:
            return edit(schedule.row_parts, input);
        case 12:
            return edit(schedule.col_parts, input);
        case 13:
            schedule.locked = input.number();
            return;
        case 14:
            schedule.disjoint = static_cast<Disjoint>(input.byte() % 4);
            schedule.maximal = input.byte() % 2;
            return;
        default:
            schedule.name = others[input.byte() % others.size()].name;
    }
}

bool same(const Schedule& a, const Schedule& b) {
    return a.order == b.order && a.offsets == b.offsets && a.residents == b.residents &&
           a.resident_offsets == b.resident_offsets && a.row_order == b.row_order &&
           a.col_order == b.col_order && a.row_parts == b.row_parts && a.col_parts == b.col_parts &&
           a.locked == b.locked && a.disjoint == b.disjoint && a.maximal == b.maximal;
}

/// Returns true if the levels are nested: contract 2 of schedule.hpp, on which the writer relies.
bool is_nested(const Schedule& schedule) {
    if (schedule.locked > schedule.order.size()) return false;
    EdgeId inner = schedule.order.size() - schedule.locked;
    for (auto level = all_levels.rbegin(); level != all_levels.rend(); ++level) {
        if (!schedule.has(*level)) continue;
        const auto& offsets = schedule.level(*level);
        if (offsets.front() != 0 || offsets.back() != inner ||
            !std::is_sorted(offsets.begin(), offsets.end()))
            return false;
        inner = schedule.count(*level);
    }
    return true;
}

/// Writes a file with the arrays of `schedule`, whose levels are not nested. Since the writer requires nested
/// levels, it writes `built`, and the arrays are replaced in a copy of the file.
void write_arrays(const fs::path& path, const Dataset& dataset, const Schedule& built,
                  const Schedule& schedule) {
    const auto whole = fuzz::scratch_file("whole.h5");
    write_schedule_file(whole, dataset, {{built, 0}}, {});
    hdf5::writing(path, [&] {
        hdf5::Reader reader(whole, "lockstep-schedules");
        hdf5::Writer writer(path, "lockstep-schedules", 0);
        const std::string group = "schedules/" + built.name;
        test::copy(reader, writer, reader.root(), "/" + group);
        for_each_array(schedule, [&](const std::string& name, const auto& array) {
            writer.write(group + "/" + name, std::span(array));
        });
        hdf5::Node& node = writer.node(group);
        node.set("disjoint", std::string(to_string(schedule.disjoint)));
        node.set("maximal", schedule.maximal);
        node.set("locked", schedule.locked);
        node.set("hash", stored_hash(schedule, node));
        writer.commit();
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Built built = build_all();
    fuzz::Source input(data, size);
    // Files take a hundred times as long as the checker alone, and even longer if they are written twice. The
    // choice depends on the whole input, so that mutations of a chosen input are rarely chosen, too.
    const bool is_rare = std::hash<std::string_view>{}(input.rest()) % 32 == 0;
    const bool to_file = input.byte() % 64 == 0;
    const Schedule& original = built.schedules[input.byte() % built.schedules.size()];
    Schedule schedule = original;
    while (!input.empty()) edit(schedule, built.schedules, input);

    const Graph& graph = built.dataset.graph;
    const Verification proof = verify(graph, schedule);
    fuzz::require(proof.ok() == proof.problems.empty(), "the checker names what it finds");
    const bool nested = is_nested(schedule);
    fuzz::require(nested || !proof.nested, "the checker finds levels that are not nested");
    if (!to_file || (!nested && !is_rare)) return 0;
    const auto path = fuzz::scratch_file("input.h5");
    try {
        if (nested)
            write_schedule_file(path, built.dataset, {{schedule, 0}}, {});
        else
            write_arrays(path, built.dataset, original, schedule);
    } catch (const Error&) {  // for example, numbers of at least 2^63
        fuzz::require(!proof.ok(), "what was proved can be written");
        return 0;
    }
    bool accepted = false;
    fuzz::try_to([&] {
        const ScheduleFile file = read_schedule_file(path);
        accepted = true;
        fuzz::require(nested, "levels that are not nested are not read");
        fuzz::require(same(file.schedules.at(0).schedule, schedule), "a schedule is read as it was written");
        const Verification concurrency = verify_concurrency(graph, schedule);
        fuzz::require(concurrency.ok() || !proof.ok(), "what was proved may run");
        if (concurrency.ok()) statistics(schedule);
    });
    fuzz::require(accepted || !proof.ok(), "what was proved can be read");
    return 0;
}
