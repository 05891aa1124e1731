#include "lockstep/executor/frontier/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <span>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "region_shape.hpp"

namespace lockstep::frontier {

namespace {

constexpr std::uint32_t max_slots = 1 << 14, paired_slots = 2048;

/// Chooses the smallest type that represents all weights exactly, and computes the mean weight.
void measure_weights(const Graph& graph, RegionLayout& out) {
    out.shape.weight = WeightKind::bytes;
    if (graph.value.empty()) return;
    float largest = 0;
    double sum = 0;
    bool whole = true;
#pragma omp parallel for reduction(max : largest) reduction(+ : sum) reduction(&& : whole)
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        const float w = graph.value[e];
        largest = std::max(largest, w), sum += w;
        whole = whole && w >= 0 && w < 65536 && w == static_cast<float>(static_cast<std::uint32_t>(w));
    }
    if (!whole || largest >= 256) out.shape.weight = whole ? WeightKind::words : WeightKind::floats;
    if (graph.edges() > 0) out.mean_weight = static_cast<float>(sum / static_cast<double>(graph.edges()));
}

/// Merges pairs of consecutive parts into larger regions, if a region can hold both parts of every pair. Only
/// used without weights: labels then become final sooner, and larger regions send fewer messages.
std::vector<EdgeId> in_pairs(const std::vector<EdgeId>& parts) {
    std::vector<EdgeId> pairs;
    for (std::size_t p = 0; p < parts.size(); p += 2) pairs.push_back(parts[p]);
    if (pairs.back() != parts.back()) pairs.push_back(parts.back());
    for (std::size_t p = 1; p < pairs.size(); ++p)
        if (pairs[p] - pairs[p - 1] > paired_slots) return parts;
    return pairs;
}

class Builder {
public:
    Builder(const Graph& graph, const Schedule& schedule, bool weights)
        : graph_(graph),
          order_(schedule.row_order),
          parts_(weights ? schedule.row_parts : in_pairs(schedule.row_parts)) {
        if (graph.rows != graph.cols) throw ScheduleError("regions: the graph is not square");
        out_.regions = checked_cast<std::uint32_t>(parts_.size() - 1, "number of regions");
        if (weights) measure_weights(graph, out_);
        out_.mean_degree = static_cast<float>(graph.edges()) / (static_cast<float>(graph.rows) + 1);
    }

    RegionLayout build() {
        place();
        count();
        shape();
        out_.records.resize(EdgeId{out_.regions} * out_.shape.bytes);
#pragma omp parallel for schedule(dynamic, 16)
        for (std::uint32_t r = 0; r < out_.regions; ++r) fill(r);
        connect();
        return std::move(out_);
    }

private:
    struct ArcBetweenRegions {
        std::uint32_t from, to;
    };  // an arc between two regions, with its endpoints as region and slot

    std::uint32_t region(std::uint32_t place) const { return place >> shift_; }
    std::uint32_t slot(std::uint32_t place) const { return place & (out_.shape.slots - 1); }
    template <class T>
    T* array(std::uint32_t region, std::uint32_t offset) {
        return reinterpret_cast<T*>(out_.records.data() + EdgeId{region} * out_.shape.bytes + offset);
    }
    RegionHead& head(std::uint32_t r) { return *array<RegionHead>(r, 0); }
    /// Calls f(slot, vertex) for each vertex of region `r`.
    template <class F>
    void for_each_vertex(std::uint32_t r, F f) const {
        for (const EdgeId i : edges_of(parts_, r)) f(static_cast<std::uint32_t>(i - parts_[r]), order_[i]);
    }

    void place() {
        EdgeId largest = 1;
        for (std::uint32_t r = 0; r < out_.regions; ++r)
            largest = std::max(largest, parts_[r + 1] - parts_[r]);
        if (largest > max_slots)
            throw ScheduleError(fmt::format(
                "regions: a region has {} vertices; at most {} fit in shared memory", largest, max_slots));
        out_.shape.slots = static_cast<std::uint32_t>(std::max(std::bit_ceil(largest), EdgeId{256}));
        shift_ = std::countr_zero(out_.shape.slots);
        static_cast<void>(
            checked_cast<std::uint32_t>(EdgeId{out_.regions} * out_.shape.slots, "slots of all regions"));
        out_.place.resize(graph_.rows);
#pragma omp parallel for schedule(static)
        for (std::uint32_t r = 0; r < out_.regions; ++r)
            for_each_vertex(r,
                            [&](std::uint32_t l, VertexId v) { out_.place[v] = r * out_.shape.slots + l; });
    }

    void count() {
        counts_.resize(out_.regions);
        arrivals_.assign(out_.regions, 0);
#pragma omp parallel for schedule(dynamic, 16)
        for (std::uint32_t r = 0; r < out_.regions; ++r) {
            RegionCounts& c = counts_[r];
            for_each_vertex(r, [&](std::uint32_t, VertexId v) {
                const EdgeRange edges = edges_of(graph_.row_offsets, v);
                for (const EdgeId e : edges) {
                    const std::uint32_t other = region(out_.place[graph_.col[e]]);
                    if (other == r) continue;
                    ++c.ghosts;
                    std::atomic_ref(arrivals_[other]).fetch_add(1, std::memory_order_relaxed);
                }
                if (edges.size() > RegionShape::row_arcs)
                    ++c.more_lists, c.more_arcs += edges.size() - (RegionShape::row_arcs - 1);
            });
        }
        first_.assign(out_.regions + EdgeId{1}, 0);
        for (std::uint32_t r = 0; r < out_.regions; ++r)
            first_[r + EdgeId{1}] = first_[r] + counts_[r].ghosts;
        crossings_.resize(first_.back());
    }

    void shape() {
        RegionCounts most;
        for (const RegionCounts& c : counts_) {
            most.ghosts = std::max(most.ghosts, c.ghosts);
            most.more_lists = std::max(most.more_lists, c.more_lists);
            most.more_arcs = std::max(most.more_arcs, c.more_arcs);
        }
        for (const EdgeId a : arrivals_) most.arrivals = std::max(most.arrivals, a);
        most.neighbours = neighbours_of_any();
        place_arrays(out_.shape, most);
    }

    EdgeId neighbours_of_any() {
        neighbours_.resize(out_.regions);
        ParallelErrors errors;
#pragma omp parallel
        {
            std::vector<std::uint32_t> seen;
            errors.run([&] { seen.assign(out_.regions, ~0U); });
#pragma omp for schedule(dynamic, 16)
            for (std::uint32_t r = 0; r < out_.regions; ++r) errors.run([&] { find_neighbours(r, seen); });
        }
        errors.rethrow();
        EdgeId most = 0;
        for (const auto& list : neighbours_) most = std::max(most, EdgeId{list.size()});
        return most;
    }

    /// Stores the neighbouring regions of region r in neighbours_[r]. seen[other] is the last region for
    /// which `other` has already been stored.
    void find_neighbours(std::uint32_t r, std::vector<std::uint32_t>& seen) {
        for_each_vertex(r, [&](std::uint32_t, VertexId v) {
            for (const EdgeId e : edges_of(graph_.row_offsets, v)) {
                const std::uint32_t other = region(out_.place[graph_.col[e]]);
                if (other == r || seen[other] == r) continue;
                seen[other] = r;
                neighbours_[r].push_back(other);
            }
        });
        std::sort(neighbours_[r].begin(), neighbours_[r].end());
    }

    void set_weight(std::uint32_t r, std::uint32_t offset, EdgeId i, EdgeId e) {
        const auto set = [&]<class T>(T weight) { array<T>(r, offset)[i] = weight; };
        const float w = graph_.weight(e);
        switch (out_.shape.weight) {
            case WeightKind::none:
                return;
            case WeightKind::bytes:
                return set(static_cast<std::uint8_t>(w));
            case WeightKind::words:
                return set(static_cast<std::uint16_t>(w));
            case WeightKind::floats:
                return set(w);
        }
    }

    /// Writes the record of region `r`, except for the connection with other inboxes, and stores its crossing
    /// arcs.
    void fill(std::uint32_t r) {
        const RegionShape& s = out_.shape;
        std::memset(array<char>(r, 0), 0, s.bytes);
        auto* const rows = array<std::uint16_t>(r, s.rows);
        for (std::uint32_t i = 0; i < 4 * s.slots; ++i) rows[i] = static_cast<std::uint16_t>(i / 4);
        std::uint32_t ghosts = 0, lists = 0, more = 0;
        for_each_vertex(r, [&](std::uint32_t l, VertexId v) {
            const EdgeRange edges = edges_of(graph_.row_offsets, v);
            const bool long_row = edges.size() > RegionShape::row_arcs;
            for (const EdgeId e : edges) {
                const std::uint32_t to = out_.place[graph_.col[e]];
                std::uint32_t end_slot = slot(to);
                if (region(to) != r) {
                    end_slot = s.slots + ghosts;
                    crossings_[first_[r] + ghosts++] = {r * s.slots + l, to};
                }
                const EdgeId i = e - edges.first;
                if (i < RegionShape::row_arcs - (long_row ? 1 : 0)) {
                    rows[4 * l + i] = static_cast<std::uint16_t>(end_slot);
                    set_weight(r, s.weights, 4 * l + i, e);
                } else {
                    array<std::uint16_t>(r, s.more)[more] = static_cast<std::uint16_t>(end_slot);
                    set_weight(r, s.more_weights, more++, e);
                }
            }
            if (!long_row) return;
            rows[4 * l] |= RegionShape::has_more;
            rows[4 * l + 3] = static_cast<std::uint16_t>(lists);
            array<std::uint32_t>(r, s.more_first)[++lists] = more;
        });
        const auto& neighbours = neighbours_[r];
        std::copy(neighbours.begin(), neighbours.end(), array<std::uint32_t>(r, s.neighbour));
        auto* const neighbour = array<std::uint16_t>(r, s.ghost_neighbour);
        for (std::uint32_t j = 0; j < ghosts; ++j) {
            const auto at = std::ranges::lower_bound(neighbours, region(crossings_[first_[r] + j].to));
            neighbour[j] = static_cast<std::uint16_t>(at - neighbours.begin());
        }
        RegionHead& h = head(r);  // all other memory of the record is zero
        h.vertices = static_cast<std::uint32_t>(parts_[r + 1] - parts_[r]), h.ghosts = ghosts;
        h.arrivals = static_cast<std::uint32_t>(arrivals_[r]);
        h.neighbours = static_cast<std::uint32_t>(neighbours.size());
    }

    /// Assigns a word of the receiving region's inbox to each arc between two regions.
    void connect() {
        Array<std::uint32_t> sorted(crossings_.size());
        const std::vector<EdgeId> into = radix_partition(
            crossings_.size(), out_.regions, [&](EdgeId c) { return EdgeId{region(crossings_[c].to)}; },
            [](EdgeId c) { return static_cast<std::uint32_t>(c); }, sorted.data());
        EdgeId words = 0;
        for (std::uint32_t r = 0; r < out_.regions; ++r) {
            head(r).inbox = checked_cast<std::uint32_t>(words, "arcs between regions");
            words += (into[r + 1] - into[r] + 3) / 4 * 4;
        }
        out_.inbox = checked_cast<std::uint32_t>(words, "arcs between regions");
#pragma omp parallel for schedule(dynamic, 16)
        for (std::uint32_t r = 0; r < out_.regions; ++r) {
            for (const EdgeId i : edges_of(into, r)) {
                const ArcBetweenRegions c = crossings_[sorted[i]];
                const auto word = static_cast<std::uint32_t>(i - into[r]);
                const std::uint32_t from = region(c.from);
                auto* const targets = array<std::uint32_t>(from, out_.shape.targets);
                targets[sorted[i] - first_[from]] = head(r).inbox + word;
                array<std::uint32_t>(r, out_.shape.arrivals)[word] = slot(c.to) | opposite(c) << 16;
            }
        }
    }

    /// Returns the ghost of the opposite arc, from c.to to c.from, or no_ghost if there is no such arc.
    std::uint32_t opposite(const ArcBetweenRegions& c) const {
        const std::uint32_t r = region(c.to);
        const std::span sent(crossings_.data() + first_[r], first_[r + EdgeId{1}] - first_[r]);
        auto i = std::ranges::lower_bound(sent, c.to, {}, &ArcBetweenRegions::from);
        for (; i != sent.end() && i->from == c.to; ++i)
            if (i->to == c.from) return static_cast<std::uint32_t>(i - sent.begin());
        return RegionShape::no_ghost;
    }

    const Graph& graph_;
    const std::vector<VertexId>& order_;
    const std::vector<EdgeId> parts_;
    int shift_ = 0;  // binary logarithm of the number of slots per region
    RegionLayout out_;
    std::vector<RegionCounts> counts_;
    // number of arcs into each region; index in crossings_ of the first arc out of each region
    std::vector<EdgeId> arrivals_, first_;
    Array<ArcBetweenRegions> crossings_;
    std::vector<std::vector<std::uint32_t>> neighbours_;  // sorted neighbouring regions of each region
};

}  // namespace

RegionLayout lay_out_regions(const Graph& graph, const Schedule& schedule, bool weights) {
    return Builder(graph, schedule, weights).build();
}

}  // namespace lockstep::frontier
