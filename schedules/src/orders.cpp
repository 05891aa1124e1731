// The shuffle and degree schedules: a random order of the edges (the preprocessing of EL, Kaleem et al.,
// IV-A), and an order of the vertices by decreasing degree.
#include <Random123/philox.h>

#include <algorithm>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// A sequence of random numbers (Philox) with random access: any thread can compute the number at any index.
class RandomAt {
public:
    RandomAt(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}
    std::uint32_t operator()(EdgeId i) {
        if (i / 4 != block_) {
            block_ = i / 4;
            const auto low = static_cast<std::uint32_t>(block_),
                       high = static_cast<std::uint32_t>(block_ >> 32);
            words_ = philox_(
                {{low, high, static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)}},
                {{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}});
        }
        return words_[i % 4];
    }

private:
    r123::Philox4x32 philox_;
    std::uint64_t seed_, stream_;
    EdgeId block_ = ~EdgeId{0};
    r123::Philox4x32::ctr_type words_{};
};

/// Maps a random 32-bit word to [0, n), n < 2^32, as the high half of the product n * random. The deviation
/// from uniform probabilities is below n / 2^32.
EdgeId below(EdgeId n, std::uint32_t random) { return n * random >> 32; }

}  // namespace

void shuffle_groups(Array<EdgeId>& order, const std::vector<EdgeId>& offsets, std::uint64_t seed) {
#pragma omp parallel for schedule(dynamic, 16)
    for (EdgeId group = 0; group < offsets.size() - 1; ++group) {
        RandomAt random(seed, group);
        EdgeId* const entry = order.data() + offsets[group];
        for (EdgeId i = offsets[group + 1] - offsets[group]; i > 1; --i)
            std::swap(entry[i - 1], entry[below(i, random(i))]);
    }
}

void shuffle(Array<EdgeId>& order, std::uint64_t seed) {
    // The algorithm of Rao and Sandelius: every entry goes to a random bucket, then the entries of each
    // bucket are shuffled. Buckets have about 2^14 entries, so they stay in the cache.
    const EdgeId buckets = std::clamp<EdgeId>(order.size() >> 14, 1, 512);
    Array<std::uint16_t> bucket(order.size());
#pragma omp parallel
    {
        RandomAt random(seed, buckets);
#pragma omp for schedule(static)
        for (EdgeId i = 0; i < order.size(); ++i)
            bucket[i] = static_cast<std::uint16_t>(below(buckets, random(i)));
    }
    Array<EdgeId> shuffled(order.size());
    const std::vector<EdgeId> offsets = radix_partition(
        order.size(), buckets, [&](EdgeId i) { return bucket[i]; }, [&](EdgeId i) { return order[i]; },
        shuffled.data());
    shuffle_groups(shuffled, offsets, seed);
    order.swap(shuffled);
}

std::vector<VertexId> by_decreasing_degree(const std::vector<EdgeId>& degree) {
    Array<EdgeId> order = identity_order(degree.size());
    const EdgeId largest = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
    group_stable(order, largest + 1, [&](EdgeId v) { return largest - degree[v]; });
    return {order.begin(), order.end()};
}

Schedule build_shuffle(const Graph& graph, std::uint64_t seed) {
    Schedule schedule;
    schedule.name = "shuffle";
    schedule.parameters["seed"] = std::to_string(seed);
    schedule.order = identity_order(graph.edges());
    shuffle(schedule.order, seed);
    return schedule;
}

Schedule build_degree(const Graph& graph) {
    Schedule schedule;
    schedule.name = "degree";
    if (graph.ends == Ends::vertices) {
        schedule.row_order = schedule.col_order = by_decreasing_degree(vertex_degrees(graph));
        return schedule;
    }
    schedule.row_order = by_decreasing_degree(row_degrees(graph));
    schedule.col_order = by_decreasing_degree(col_degrees(graph));
    return schedule;
}

}  // namespace lockstep
