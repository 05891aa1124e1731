#include "insight/estimates.hpp"

#include <cmath>

#include "lockstep/schedules/tile_cost.hpp"

namespace lockstep::insight {

namespace {

double ceiling(double a, double b) { return std::ceil(a / std::max(b, 1.0)); }

/// Returns the number of item blocks in the schedule `blocked`, which is also the maximum that tile_blocks()
/// considers for the schedule `tiled`. It is one block per multiprocessor, or a multiple of this if the
/// vectors of a block's items do not fit in shared memory (schedules/src/blocked.cpp).
double item_blocks(double cols, const BuildOptions& o) {
    const VertexId chunks = (o.rank + 3) / 4;
    const double capacity = std::max(1.0, static_cast<double>(o.shared_memory_bytes) / (16.0 * chunks) / 2);
    return std::min(std::max(cols, 1.0), ceiling(cols, capacity * o.multiprocessors) * o.multiprocessors);
}

/// Returns the number of vertices with more than `degree` edges, estimated from the histogram of degrees. The
/// vertices of a bin are assumed to be distributed evenly over the degrees of the bin.
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

/// Returns the degree that is exceeded by `rank` vertices of a side.
double degree_at(const Side& side, double rank) {
    double low = 0, high = static_cast<double>(side.degrees.largest);
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (above(side, middle) > rank ? low : high) = middle;
    }
    return high;
}

/// Estimates the number of item blocks that the builder of the schedule `tiled` would choose, from the
/// degrees of the vertices.
double tile_blocks(const Statistics& s, const BuildOptions& o) {
    const double most = item_blocks(s.cols.vertices, o);
    double best = most, least = INFINITY;
    const auto side = [](const Side& of) {
        return SideOfTiles{of.vertices, [&of](double rank) { return degree_at(of, rank); }};
    };
    for (EdgeId p = o.multiprocessors; p > 3 && most <= o.multiprocessors; p = next_smaller_block_count(p)) {
        const double seconds =
            cost_of_tiles({1, p, 2 * p}, s.edges, side(s.cols), side(s.rows), (o.rank + 3) / 4 * 16, o.costs)
                .seconds();
        if (seconds > least) continue;
        best = std::min(most, static_cast<double>(p));
        least = p == o.multiprocessors ? clearly_faster * seconds : seconds;
    }
    return best;
}

/// Estimates the matchings that a first-fit algorithm finds. Their number is the largest degree. Matching i
/// contains one edge of each vertex whose degree exceeds i, on the side with the largest degree.
/// O(log(rounds) x bins).
Rounds estimated_matchings(const Statistics& s) {
    Rounds r;
    r.rounds = s.largest();
    const bool of_cols = s.cols.degrees.largest >= s.rows.degrees.largest;
    const Side &side = of_cols ? s.cols : s.rows, &other = of_cols ? s.rows : s.cols;
    double total = 0;
    for (double first = 0;
         first < r.rounds;) {  // the steps grow, since consecutive rounds have nearly the same size
        const double last = std::min(r.rounds, std::max(first + 1, std::floor(first * 1.1)));
        const double size = std::min(above(side, first), static_cast<double>(other.vertices));
        r.sizes.push_back({std::max(size, 1.0), last - first});
        total += r.sizes.back().first * (last - first);
        first = last;
    }
    for (auto& [size, count] : r.sizes) size = std::max(1.0, size * static_cast<double>(s.edges) / total);
    r.chain = r.rounds;
    return r;
}

/// Estimates the rounds of a schedule in which blocks of `workers` items are processed one after another. A
/// block has as many rounds as its item with the most edges has edges. If items are sorted by degree (SGM),
/// this is the first item of the block; otherwise its number of edges is the expected maximum.
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

}  // namespace

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

    Rounds diagonals;  // edges are assumed to be distributed at random over the rows + columns - 1 diagonals
    const double all = s.vertices() - 1;
    diagonals.rounds = std::max(1.0, all * (1 - std::exp(-edges / all)));
    diagonals.sizes = {{edges / diagonals.rounds, diagonals.rounds}};
    diagonals.chain = diagonals.rounds;
    add(s, "diag", diagonals);

    // Serial chain of a block diagonal: the block with the most edges has its share of all edges and, in some
    // block diagonals, the edges of a hub.
    Rounds blocks;
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
    hubs.refused = "the file has no such schedule, and its size cannot be estimated from degrees alone";
    add(s, "stars", hubs);
    // assumes that no vectors are reused within a tile, because degrees do not show locality
    Rounds regions;
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

}  // namespace lockstep::insight
