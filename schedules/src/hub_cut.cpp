#include "lockstep/schedules/hub_cut.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "lockstep/schedules/parallel_errors.hpp"
#include "tile_blocks.hpp"

namespace lockstep {

namespace {

constexpr std::size_t degree_classes = 64;

/// Limits 0, 2, 3, 4, 6, 8, 12, …: class c has the degrees above limit c up to limit c + 1.
EdgeId limit_of(std::size_t c) {
    if (c == 0) return 0;
    return c % 2 ? EdgeId{2} << (c / 2) : EdgeId{3} << (c / 2 - 1);
}
/// Class of a degree above 0.
std::size_t class_of(EdgeId degree) {
    if (degree < 3) return 0;
    const auto octave =
        static_cast<std::size_t>(std::bit_width(degree - 1)) - 1;  // (2^octave, 2^(octave + 1)]
    return 2 * octave - (degree <= EdgeId{3} << (octave - 1));
}

struct Count {
    EdgeId vertices = 0, edges = 0;
};

/// Items by degree; and for every limit of theirs what of the users is left without the items above it.
struct Census {
    std::vector<Count> items = std::vector<Count>(degree_classes);
    struct Users {
        std::vector<Count> left = std::vector<Count>(degree_classes);  ///< by class of the edges left
        EdgeId touched = 0;  ///< users with an edge to an item above the limit
        EdgeId most_taken = 0, most_left = 0;
    };
    std::vector<Users> users = std::vector<Users>(degree_classes);
    EdgeId largest_item = 0;
    std::size_t limits = 0;  ///< the last of them is above no item
};

Census take_census(const Graph& graph) {
    Census census;
    const std::vector<EdgeId> degree = col_degrees(graph);
    std::vector<std::uint8_t> of_item(graph.cols);
    for (VertexId v = 0; v < graph.cols; ++v) {
        if (degree[v] == 0) continue;
        of_item[v] = static_cast<std::uint8_t>(class_of(degree[v]));
        ++census.items[of_item[v]].vertices, census.items[of_item[v]].edges += degree[v];
        census.largest_item = std::max(census.largest_item, degree[v]);
    }
    census.limits = class_of(census.largest_item) + 2;
    ParallelErrors errors;
#pragma omp parallel
    {
        std::vector<Census::Users> own;
        std::vector<EdgeId> count;
        errors.run([&] { own.resize(degree_classes), count.resize(degree_classes); });
#pragma omp for schedule(dynamic, 4096)
        for (VertexId u = 0; u < graph.rows; ++u) {
            if (errors.failed()) continue;
            const EdgeId first = graph.row_offsets[u], end = graph.row_offsets[u + std::size_t{1}];
            if (first == end) continue;
            std::fill(count.begin(), count.end(), 0);
            for (EdgeId e = first; e < end; ++e) ++count[of_item[graph.col[e]]];
            EdgeId left = end - first;
            std::size_t k = class_of(left);
            for (std::size_t c = census.limits; c-- > 0;) {  // items of classes c and above are taken
                if (count[c]) left -= count[c], k = class_of(left);
                Census::Users& users = own[c];
                users.touched += left < end - first;
                users.most_taken = std::max(users.most_taken, end - first - left);
                users.most_left = std::max(users.most_left, left);
                if (left == 0) continue;
                Count& of_class = users.left[k];
                ++of_class.vertices, of_class.edges += left;
            }
        }
#pragma omp critical
        for (std::size_t c = 0; c < own.size(); ++c) {
            Census::Users& users = census.users[c];
            users.touched += own[c].touched;
            users.most_taken = std::max(users.most_taken, own[c].most_taken);
            users.most_left = std::max(users.most_left, own[c].most_left);
            for (std::size_t k = 0; k < degree_classes; ++k) {
                users.left[k].vertices += own[c].left[k].vertices;
                users.left[k].edges += own[c].left[k].edges;
            }
        }
    }
    errors.rethrow();
    return census;
}

/// Of the classes from `first` on.
Count above(const std::vector<Count>& of, std::size_t first) {
    Count sum;
    for (std::size_t c = first; c < degree_classes; ++c)
        sum.vertices += of[c].vertices, sum.edges += of[c].edges;
    return sum;
}

class Chooser {
public:
    Chooser(const Graph& graph, const BuildOptions& options)
        : options_(options),
          vector_bytes_((EdgeId{options.rank} * (options.half_precision ? 2 : 4) + 15) / 16 * 16),
          far_(static_cast<double>((EdgeId{graph.rows} + graph.cols) * vector_bytes_) > device_.cache_bytes),
          census_(take_census(graph)) {}

    HubCut best() const {
        HubCut best;
        best.tail_seconds = std::numeric_limits<double>::infinity();
        const EdgeId all_items = above(census_.items, 0).vertices;
        for (std::size_t c = 0; c < census_.limits; ++c) {
            const Census::Users& users = census_.users[c];
            const Count items = above(census_.items, c);
            const HubCut::Core items_core = core(items.edges, {items.vertices, census_.largest_item},
                                                 census_.items, {users.touched, users.most_taken});
            for (std::size_t k = 0; items_core.seconds < best.seconds() && k < degree_classes; ++k) {
                const Count hubs = above(users.left, k);
                HubCut cut{limit_of(c), limit_of(k),
                           core(hubs.edges, {hubs.vertices, users.most_left}, users.left,
                                {std::min(hubs.edges, all_items - items.vertices),
                                 std::min(limit_of(c), hubs.vertices)}),
                           items_core};
                add_tail(cut, c, k);
                if (cut.seconds() < best.seconds()) best = cut;
                if (hubs.edges == 0) break;  // as with every limit above
            }
        }
        return best;
    }

private:
    struct Side {
        EdgeId vertices, largest;  ///< largest degree
    };
    /// With its best grid: as choose_geometry, without dealing anything out.
    HubCut::Core core(EdgeId edges, Side resident, const std::vector<Count>& of_resident, Side moving) const {
        HubCut::Core best{edges, resident.largest};
        if (edges == 0) return {};
        best.seconds = std::numeric_limits<double>::infinity();
        const SideOfTiles residents{
            resident.vertices, [&](double rank) {
                std::size_t c = degree_classes - 1;
                for (double met = 0; c > 0; --c) {
                    met += static_cast<double>(of_resident[c].vertices);
                    if (met > rank) break;
                }
                return static_cast<double>(std::min(limit_of(c + 1), resident.largest));
            }};
        // Of these no more is known: degrees that fall with the root of the rank, but not below the mean.
        const SideOfTiles movers{moving.vertices, [&](double rank) {
                                     return std::max(
                                         static_cast<double>(moving.largest) / std::sqrt(1 + rank),
                                         static_cast<double>(edges) / static_cast<double>(moving.vertices));
                                 }};
        for (EdgeId blocks = options_.multiprocessors; blocks > 3; blocks = fewer_blocks(blocks)) {
            const EdgeId p = std::min(blocks, resident.vertices);
            const double room = (static_cast<double>(options_.on_chip_bytes) - (48 << 10)) /
                                    static_cast<double>(2 * vector_bytes_) -
                                static_cast<double>(resident.vertices) / static_cast<double>(p);
            if (room < 8) continue;
            const auto needed = static_cast<EdgeId>(static_cast<double>(moving.vertices) / room / 2 + 1) * 2;
            const TilesCost cost = cost_of_tiles({1, p, std::max(2 * p, needed)}, edges, residents, movers,
                                                 vector_bytes_, device_);
            if (cost.seconds() < best.seconds) best.seconds = cost.seconds(), best.phases = cost.phases;
        }
        return best;
    }

    /// The i-th matching has an edge of every vertex of more than i edges, on the side that has fewer.
    void add_tail(HubCut& cut, std::size_t c, std::size_t k) const {
        const std::vector<Count>& left = census_.users[c].left;
        const auto below = [](const std::vector<Count>& of, std::size_t end) {
            return std::accumulate(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(end), EdgeId{0},
                                   [](EdgeId sum, const Count& count) { return sum + count.edges; });
        };
        const auto edges = static_cast<double>(below(left, k)),
                   of_items = static_cast<double>(below(census_.items, c));
        if (edges == 0) return;
        const double share = edges / of_items;  // of an item's edges that are left
        struct Rounds {
            double count, size;
        };
        std::vector<Rounds> rounds;
        double total = 0;
        for (std::size_t j = 0; j < degree_classes && limit_of(j) < std::max(limit_of(c), limit_of(k)); ++j) {
            double users = 0, items = 0;
            for (std::size_t i = j; i < k; ++i) users += static_cast<double>(left[i].vertices);
            for (std::size_t i = 0; i < c; ++i) {
                if (share * static_cast<double>(limit_of(i + 1)) > static_cast<double>(limit_of(j)))
                    items += static_cast<double>(census_.items[i].vertices);
            }
            // Where one side is through the other's last edges go on one by one.
            const double size = std::max(1.0, users > 0 && items > 0 ? std::min(users, items) : 0);
            const auto count = static_cast<double>(limit_of(j + 1) - limit_of(j));
            if (users == 0 && items == 0) break;
            rounds.push_back({count, size}), total += count * size;
        }
        cut.tail_seconds = device_.launch;
        for (const Rounds& r : rounds) {
            cut.tail_rounds += r.count;
            cut.tail_seconds += cost_of_rounds(r.count, r.size * edges / total, far_, device_);
        }
    }

    BuildOptions options_;
    EdgeId vector_bytes_;
    DeviceCosts device_;
    bool far_;
    Census census_;
};

/// Where all edges are in one core it is tiles of all: on the side that these take.
HubCut all_core(const Graph& graph, BuildOptions options, const HubCut& by_items) {
    options.groups = 1, options.gpus = 1, options.user_blocks = 0;
    const TileSides turned = tile_sides(graph, true);
    const TilesCost items = choose_geometry(tile_sides(graph), options).cost,
                    users = choose_geometry(turned, options).cost;
    if (users.seconds() >= clearly_faster * items.seconds()) return by_items;
    HubCut cut{turned.moving.degree.front(), 0};
    cut.users_core = {graph.edges(), turned.resident.degree.front(), users.phases, users.seconds()};
    return cut;
}

}  // namespace

HubCut choose_hubs(const Graph& graph, const BuildOptions& options) {
    if (options.hub_degree) return {options.hub_degree, options.hub_degree};
    if (graph.edges() == 0) return {};
    const HubCut cut = Chooser(graph, options).best();
    return cut.items == 0 ? all_core(graph, options, cut) : cut;
}

}  // namespace lockstep
