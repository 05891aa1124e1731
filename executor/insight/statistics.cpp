#include "insight/statistics.hpp"

#include <cmath>
#include <filesystem>

#include "lockstep/schedules/hub_cut.hpp"

namespace lockstep::insight {

namespace {

/// Mean edges of a round of each bin, so that all of them together have the edges.
std::vector<std::pair<double, double>> sizes_of(const std::vector<EdgeId>& histogram, double edges) {
    std::vector<std::pair<double, double>> sizes;
    double total = 0;
    for (std::size_t i = 0; i < histogram.size(); ++i) {
        if (!histogram[i]) continue;
        const double size = i == 0 ? 1 : 1.5 * std::pow(2.0, static_cast<double>(i)),
                     count = static_cast<double>(histogram[i]);
        sizes.push_back({size, count});
        total += size * count;
    }
    for (auto& [size, count] : sizes) size *= edges / total;
    return sizes;
}

double ceiling(double a, double b) { return std::ceil(a / std::max(b, 1.0)); }

/// Item blocks of the schedule `blocked`, and of tiled at least: as many as multiprocessors, or more where
/// the items of one do not fit on chip (schedules/src/blocked.cpp).
double item_blocks(double cols, const BuildOptions& o) {
    const VertexId chunks = (o.rank + 3) / 4;
    const double room = std::max(1.0, static_cast<double>(o.on_chip_bytes) / (16.0 * chunks) / 2);
    return std::min(std::max(cols, 1.0), ceiling(cols, room * o.multiprocessors) * o.multiprocessors);
}

/// How many vertices have more than `degree` edges, by the bins of the histogram; inside a bin in proportion.
double above(const Side& side, double degree) {
    double count = 0;
    const auto& bins = side.degrees.histogram;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const double low = std::pow(2.0, static_cast<double>(i)),
                     high = std::min(2 * low, static_cast<double>(side.degrees.largest) + 1);
        if (degree < low)
            count += static_cast<double>(bins[i]);
        else if (degree < high - 1)
            count += static_cast<double>(bins[i]) * (high - 1 - degree) / (high - low);
    }
    return std::max(count, degree < static_cast<double>(side.degrees.largest) ? 1.0 : 0.0);
}

/// The degree that `rank` vertices of a side exceed.
double degree_at(const Side& side, double rank) {
    double low = 0, high = static_cast<double>(side.degrees.largest);
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (above(side, middle) > rank ? low : high) = middle;
    }
    return high;
}

/// Item blocks of tiled: as many as the builder takes, as far as degrees tell.
double tile_blocks(const Statistics& s, const BuildOptions& o) {
    const double most = item_blocks(s.cols.vertices, o);
    double best = most, least = INFINITY;
    const auto side = [](const Side& of) {
        return SideOfTiles{of.vertices, [&of](double rank) { return degree_at(of, rank); }};
    };
    for (EdgeId p = o.multiprocessors; p > 3 && most <= o.multiprocessors; p = fewer_blocks(p)) {
        const double seconds =
            cost_of_tiles({1, p, 2 * p}, s.edges, side(s.cols), side(s.rows), (o.rank + 3) / 4 * 16)
                .seconds();
        if (seconds > least) continue;
        best = std::min(most, static_cast<double>(p));
        least = p == o.multiprocessors ? clearly_faster * seconds : seconds;
    }
    return best;
}

/// Matchings of first-fit: the i-th has an edge of every vertex of a degree above i, on the side that has
/// fewer.
Rounds estimated_matchings(const Statistics& s) {
    Rounds r;
    r.rounds = s.largest();
    double total = 0;
    for (double first = 0;
         first < r.rounds;) {  // in steps that grow, a round's size being nearly that of the next
        const double last = std::min(r.rounds, std::max(first + 1, std::floor(first * 1.1)));
        const double size = std::min(above(s.rows, first), above(s.cols, first));
        r.sizes.push_back({std::max(size, 1.0), last - first});
        total += r.sizes.back().first * (last - first);
        first = last;
    }
    for (auto& [size, count] : r.sizes) size = std::max(1.0, size * static_cast<double>(s.edges) / total);
    r.chain = r.rounds;
    return r;
}

/// Blocks of `workers` items. Sorted by degree (SGM) a block has about the rounds of its first item, unsorted
/// about those of the largest among so many.
Rounds estimated_blocks(const Statistics& s, double workers, bool sorted, double hubs_above) {
    Rounds r;
    r.blocks = ceiling(s.cols.vertices, workers);
    const double row_bound = static_cast<double>(s.rows.degrees.largest);
    for (double b = 0; b < r.blocks; ++b) {
        const double rank = sorted ? b * workers : b == 0 ? 0 : r.blocks;
        double degree = std::min(degree_at(s.cols, rank), hubs_above);
        if (b == 0) degree = std::max(degree, std::min(row_bound, workers));
        r.rounds += std::max(1.0, degree);
    }
    r.sizes = {{std::max(1.0, static_cast<double>(s.edges) / std::max(1.0, r.rounds)), r.rounds}};
    r.chain = r.rounds;
    return r;
}

void add(Statistics& s, const std::string& name, const Rounds& rounds) {
    s.schedules.try_emplace(name, rounds);
}

/// What follows from the degrees alone.
void estimate_schedules(Statistics& s, const BuildOptions& o) {
    if (s.edges == 0) return;
    const double edges = static_cast<double>(s.edges), hub = static_cast<double>(s.cols.degrees.largest);
    add(s, "agm-e", estimated_matchings(s));
    add(s, "agm-n", estimated_blocks(s, o.workers, false, INFINITY));
    add(s, "sgm", estimated_blocks(s, o.workers, true, INFINITY));
    const auto hubs_above = static_cast<double>(hub_limit(s.cols.degrees.largest, s.edges, s.cols.vertices));
    Rounds hybrid = estimated_blocks(s, o.workers, true, hubs_above);
    if (hub > hubs_above)
        hybrid.locked = std::min(edges, above(s.cols, hubs_above) * std::sqrt(hub * hubs_above));
    add(s, "el-sgm", hybrid);

    Rounds diagonals;  // edges at random on rows + columns - 1 of them
    const double all = s.vertices() - 1;
    diagonals.rounds = std::max(1.0, all * (1 - std::exp(-edges / all)));
    diagonals.sizes = {{edges / diagonals.rounds, diagonals.rounds}};
    diagonals.chain = diagonals.rounds;
    add(s, "diag", diagonals);

    Rounds blocks;  // a block-diagonal's fullest block has its share and, once in a while, the hub's
    const double side = std::clamp(std::sqrt(edges / 32), 1.0, 512.0);
    blocks.rounds = 2 * side - 1;
    blocks.chain = std::min(edges, 3 * edges / side + s.largest());
    add(s, "blkdiag", blocks);

    Rounds tiles;
    tiles.blocks = tile_blocks(s, o);
    tiles.rounds = 2 * tiles.blocks;
    tiles.steps = 5 * tiles.rounds;
    tiles.chain = std::max(s.largest(), 2 * tiles.rounds);
    tiles.fullest = std::max(edges / tiles.blocks, hub);
    add(s, "tiled", tiles);
    Rounds hubs;
    hubs.refused = "the file has no such schedule, and degrees alone do not tell which edges are of hubs";
    add(s, "core-tail", hubs);
    add(s, "stars", hubs);
    Rounds regions;  // as if every edge fetched both of its vectors: degrees say nothing of locality
    regions.rounds = regions.chain = s.largest();
    regions.sizes = {{std::max(1.0, edges / regions.rounds), regions.rounds}};
    regions.vectors = 2 * edges;
    regions.refused =
        likely_refusal("local", {s.edges, s.cols.vertices, s.rows.degrees, s.cols.degrees, s.col_reuse});
    add(s, "local", regions);
    Rounds blocked;
    blocked.blocks = item_blocks(s.cols.vertices, o);
    add(s, "blocked", blocked);
    add(s, "shuffle", {});
}

/// Diagonals and block-diagonals, counted.
void count_diagonals(Statistics& s, const Graph& graph) {
    Rounds diagonals, blocks;
    std::vector<std::uint32_t> size(EdgeId{graph.rows} + graph.cols, 0);
    const auto side =
        static_cast<EdgeId>(std::clamp(std::sqrt(static_cast<double>(graph.edges()) / 32), 1.0, 512.0));
    const EdgeId high = (graph.rows + side - 1) / side, wide = (graph.cols + side - 1) / side;
    std::vector<std::uint32_t> block(side * side, 0);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (EdgeId e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; ++e) {
            const VertexId v = graph.col[e];
            ++size[EdgeId{u} + graph.cols - 1 - v];
            ++block[u / high * side + v / wide];
        }
    }
    std::vector<EdgeId> histogram;
    for (const std::uint32_t n : size) {
        if (!n) continue;
        ++diagonals.rounds;
        const auto bin = static_cast<std::size_t>(std::bit_width(n) - 1);
        if (bin >= histogram.size()) histogram.resize(bin + 1, 0);
        ++histogram[bin];
    }
    diagonals.sizes = sizes_of(histogram, static_cast<double>(graph.edges()));
    diagonals.chain = diagonals.rounds;
    std::vector<std::uint32_t> fullest(2 * side, 0);
    for (EdgeId r = 0; r < side; ++r) {
        for (EdgeId c = 0; c < side; ++c)
            fullest[r + side - c] = std::max(fullest[r + side - c], block[r * side + c]);
    }
    for (const std::uint32_t n : fullest) blocks.rounds += n > 0, blocks.chain += n;
    add(s, "diag", diagonals);
    add(s, "blkdiag", blocks);
}

/// Core-tail, as its builder chooses.
void count_hubs(Statistics& s, const Graph& graph, const BuildOptions& options) {
    const HubCut cut = choose_hubs(graph, options);
    Rounds r;
    for (const HubCut::Core& core : {cut.users_core, cut.items_core}) {
        r.core_edges += static_cast<double>(core.edges), r.core_phases += static_cast<double>(core.phases);
        r.chain += static_cast<double>(core.largest);
    }
    r.steps = 5 * r.core_phases;
    r.rounds = r.core_phases + cut.tail_rounds;
    add(s, "core-tail", r);
}

/// Stars, whose phases are about as few as they can be.
void count_stars(Statistics& s, const Graph& graph, const BuildOptions& options) {
    const StarSizes sizes = star_sizes_of(graph, options);
    Rounds r;
    r.rounds = static_cast<double>(sizes.least_phases);
    r.sizes = {{std::max(1.0, static_cast<double>(s.edges) / r.rounds), r.rounds}};
    r.chain = std::max(r.rounds, std::min(s.largest(), r.rounds * static_cast<double>(sizes.hub_edges)));
    if (sizes.hub_edges > sizes.star_edges) r.hub_edges = static_cast<double>(sizes.hub_edges);
    add(s, "stars", r);
}

nlohmann::ordered_json side_json(const Statistics& s, const Side& side) {
    return {{"vertices", side.vertices},
            {"largest_degree", side.degrees.largest},
            {"meeting", s.meeting(side)},
            {"degree_histogram", side.degrees.histogram}};
}

}  // namespace

Statistics statistics_of(const ScheduleFileSummary& file, const BuildOptions& options) {
    Statistics s;
    s.name = std::filesystem::path(file.path).stem().string();
    s.edges = file.edges;
    s.rows = {file.rows, file.row_degrees}, s.cols = {file.cols, file.col_degrees};
    s.col_reuse = file.col_reuse;
    s.write_seconds = file.seconds.write;
    for (Side* side :
         {&s.rows, &s.cols}) {  // format 1.0: as many of the largest degree as there are edges for
        DegreeStatistics& d = side->degrees;
        if (!d.histogram.empty() || d.largest == 0) continue;
        const double edges = static_cast<double>(s.edges),
                     mean = edges / std::max<VertexId>(1, side->vertices);
        d.squares = edges * std::sqrt(mean * static_cast<double>(d.largest));
        d.histogram.assign(static_cast<std::size_t>(std::bit_width(d.largest)), 0);
        d.histogram[static_cast<std::size_t>(std::log2(std::max(1.0, mean)))] += side->vertices - 1,
            ++d.histogram.back();
    }
    for (const ScheduleSummary& schedule : file.schedules) {
        const ScheduleStatistics& t = schedule.statistics;
        Rounds r;
        r.rounds = static_cast<double>(t.rounds);
        r.locked = static_cast<double>(schedule.locked);
        r.sizes = sizes_of(t.histogram, static_cast<double>(file.edges - schedule.locked));
        r.chain = static_cast<double>(t.chain), r.steps = static_cast<double>(t.steps),
        r.fullest = static_cast<double>(t.fullest);
        const auto parameter = [&](const char* key) {
            return schedule.parameters.contains(key)
                       ? std::strtod(schedule.parameters.at(key).c_str(), nullptr)
                       : 0;
        };
        r.blocks = parameter("item_blocks") * std::max(1.0, parameter("groups"));
        if (const double workers = parameter("workers"); workers > 0) r.blocks = ceiling(file.cols, workers);
        r.core_edges = parameter("users_edges") + parameter("items_edges");
        r.core_phases = parameter("users_user_blocks") + parameter("items_user_blocks");
        r.vectors = parameter("vectors");
        if (parameter("hub_edges") > parameter("star_edges")) r.hub_edges = parameter("hub_edges");
        r.seconds = schedule.seconds;
        r.exact = true;
        s.schedules[schedule.name] = std::move(r);
    }
    estimate_schedules(s, options);
    return s;
}

Statistics statistics_of(const Graph& graph, const std::string& name, const BuildOptions& options) {
    Statistics s;
    s.name = name;
    s.edges = graph.edges();
    s.rows = {graph.rows, statistics(row_degrees(graph))},
    s.cols = {graph.cols, statistics(col_degrees(graph))};
    s.col_reuse = column_reuse(graph);
    if (s.edges) count_diagonals(s, graph), count_hubs(s, graph, options), count_stars(s, graph, options);
    estimate_schedules(s, options);
    for (auto& [schedule, rounds] : s.schedules) rounds.refused = refusal(schedule, graph, options);
    return s;
}

nlohmann::ordered_json to_json(const Statistics& s) {
    nlohmann::ordered_json schedules = nlohmann::ordered_json::object();
    for (const auto& [name, r] : s.schedules)
        schedules[name] = {{"exact", r.exact},  {"rounds", r.rounds},   {"chain", r.chain},
                           {"steps", r.steps},  {"fullest", r.fullest}, {"locked", r.locked},
                           {"blocks", r.blocks}};
    return {{"name", s.name},
            {"edges", s.edges},
            {"rows", side_json(s, s.rows)},
            {"cols", side_json(s, s.cols)},
            {"col_reuse", s.col_reuse},
            {"schedules", schedules}};
}

}  // namespace lockstep::insight
