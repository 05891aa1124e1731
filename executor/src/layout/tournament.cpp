#include "lockstep/executor/layout/tournament.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "lockstep/executor/layout/random.hpp"
#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::layout {

namespace {

template <int D>
using Octet = Point<Pack, D>;

template <int D>
Octet<D> load(const Positions& p, VertexId o) {
    Octet<D> at;
    for (int k = 0; k < D; ++k) at.x[k] = Pack::load(&p.x[std::size_t{p.places} * k + EdgeId{o} * octet]);
    return at;
}
template <int D>
void store(Positions& p, VertexId o, const Octet<D>& at) {
    for (int k = 0; k < D; ++k) at.x[k].store(&p.x[std::size_t{p.places} * k + EdgeId{o} * octet]);
}
template <int bits, int D>
Octet<D> exchange_lanes(Octet<D> at) {
    for (int k = 0; k < D; ++k) at.x[k] = layout::exchange_lanes<bits>(at.x[k]);
    return at;
}
/// Calls run(std::integral_constant<int, i>()) for i = 0 … 7.
template <class Run>
void eight_rounds(Run run) {
    [&]<int... i>(std::integer_sequence<int, i...>) { (run(std::integral_constant<int, i>()), ...); }
    (std::make_integer_sequence<int, 8>());
}

template <int D>
class Sweep {
public:
    Sweep(const FullStress& full, const std::vector<VertexId>& order, float half_eta, Positions& positions)
        : full_(full),
          order_(order),
          octets_(full.tournament().octets),
          eta_(Pack::all(half_eta)),
          positions_(positions) {}

    /// Processes the pairs of vertices from two groups, four pairs of octets at a time.
    void between(VertexId one, VertexId other) {
        for (VertexId t = 0; t < group_octets; ++t) {
            pairs_ = 0;
            for (VertexId a = 0; a < group_octets; ++a) add(one, a, other, a ^ t);
            meet_pairs();
        }
    }
    /// Processes the pairs of vertices within a group.
    void within(VertexId one) {
        for (VertexId a = 0; a < group_octets; ++a) {
            if (one * group_octets + a < octets_) meet_itself(order_[one * group_octets + a]);
        }
        for (VertexId t = 1; t < group_octets; ++t) {
            pairs_ = 0;
            for (VertexId a = 0; a < group_octets; ++a) {
                if (a < (a ^ t)) add(one, a, one, a ^ t);
            }
            meet_pairs();
        }
    }

private:
    void add(VertexId one, VertexId a, VertexId other, VertexId b) {
        const VertexId i = one * group_octets + a, j = other * group_octets + b;
        if (i < octets_ && j < octets_) pair_[pairs_++] = std::minmax({order_[i], order_[j]});
    }
    void meet_pairs() {
        if (pairs_ == group_octets) return meet_octets<group_octets>(0);
        for (VertexId n = 0; n < pairs_; ++n) meet_octets<1>(n);
    }

    /// Processes N pairs of octets, in which no octet occurs twice: N independent chains of operations keep
    /// the processor busy.
    template <int N>
    void meet_octets(VertexId first) {
        Octet<D> a[N], b[N];
        const float* tile[N];
        for (int n = 0; n < N; ++n) {
            const auto [low, high] = pair_[first + n];
            a[n] = load<D>(positions_, low), b[n] = load<D>(positions_, high);
            tile[n] = full_.tiles.data() + tile_of(low, high, octets_);
        }
        eight_rounds([&](auto round) {
            constexpr int r = decltype(round)::value;
            for (int n = 0; n < N; ++n) {
                if constexpr (r > 0) b[n] = exchange_lanes<r ^ (r - 1)>(b[n]);
                move_pair(a[n], b[n], Pack::load(tile[n] + 8 * r), eta_);
            }
        });
        for (int n = 0; n < N; ++n) {
            store(positions_, pair_[first + n].first, a[n]);
            store(positions_, pair_[first + n].second, exchange_lanes<7>(b[n]));
        }
    }
    void meet_itself(VertexId o) {
        Octet<D> at = load<D>(positions_, o);
        const float* const tile = full_.tiles.data() + tile_of(o, o, octets_);
        eight_rounds([&](auto round) {
            constexpr int r = decltype(round)::value;
            if constexpr (r == 0) return;
            const Pack q = Pack::load(tile + 8 * r);
            approach(at, exchange_lanes<r>(at), q, multiply(q, q), eta_);
        });
        store(positions_, o, at);
    }

    const FullStress& full_;
    const std::vector<VertexId>& order_;
    VertexId octets_;
    Pack eta_;
    Positions& positions_;
    std::array<std::pair<VertexId, VertexId>, group_octets> pair_{};
    VertexId pairs_ = 0;
};

template <int D>
void sweep(const FullStress& full, const SweepOrder& order, float half_eta, Positions& positions, int threads,
           bool racing) {
    const Tournament tournament = full.tournament();
    const VertexId pairings = tournament.pairings();
    const int working =
        static_cast<int>(std::min<VertexId>(static_cast<VertexId>(threads), (pairings + 3) / 4));
#pragma omp parallel num_threads(working)
    {
        Sweep<D> mine(full, order.octets, half_eta, positions);
        for (const VertexId phase : order.phases) {
#pragma omp for schedule(static) nowait
            for (VertexId i = 0; i < pairings; ++i) {
                VertexId one = 0, other = 0;
                tournament.pairing(phase, i, one, other);
                if (phase == order.phases.front()) mine.within(one), mine.within(other);
                mine.between(one, other);
            }
            if (!racing) {
#pragma omp barrier
            }
        }
    }
}

/// Returns the sum of squared errors of the 64 pairs of two octets. A pair that is not a term contributes 1.
template <int D>
double tile_stress(const FullStress& full, const Positions& positions, VertexId low, VertexId high) {
    const Octet<D> a = load<D>(positions, low), b = load<D>(positions, high);
    const float* const tile = full.tiles.data() + tile_of(low, high, full.tournament().octets);
    Pack sum = Pack::all(0);
    eight_rounds([&](auto round) {
        constexpr int r = decltype(round)::value;
        const Pack ratio = multiply(Pack::load(tile + 8 * r), length(difference(a, exchange_lanes<r>(b))));
        const Pack error = add(ratio, Pack::all(-1));
        sum = fused_multiply_add(error, error, sum);
    });
    float parts[8];
    sum.store(parts);
    double total = 0;
    for (const float part : parts) total += part;
    return total;
}

template <int D>
double stress(const FullStress& full, const Positions& positions, int threads) {
    const VertexId octets = full.tournament().octets;
    std::vector<double> rows(octets);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (VertexId a = 0; a < octets; ++a) {
        // Each pair occurs twice in this tile. The eight pairs of a vertex with itself contribute 1 each.
        double sum = (tile_stress<D>(full, positions, a, a) - octet) / 2;
        for (VertexId b = a + 1; b < octets; ++b) sum += tile_stress<D>(full, positions, a, b);
        rows[a] = sum;
    }
    double sum = 0;
    for (const double row : rows) sum += row;
    const double pairs = static_cast<double>(EdgeId{octets} * octet) * (octets * octet - 1.0) / 2;
    return sum - (pairs - static_cast<double>(full.terms()));
}

}  // namespace

SweepOrder draw_sweep_order(const Tournament& tournament, std::uint64_t seed, std::uint64_t sweep) {
    const auto what = static_cast<std::uint32_t>(2 * sweep);
    return {permutation(seed, what, tournament.octets), permutation(seed, what + 1, tournament.phases())};
}

EdgeId FullStress::bytes(VertexId vertices) {
    const VertexId octets = (vertices + octet - 1) / octet;
    return 4 * tile_of(octets - 1, octets, octets);
}

FullStress full_stress(const Component& component, std::uint64_t seed, int threads) {
    FullStress full{component.vertices,
                    permutation(seed, static_cast<std::uint32_t>(RandomStream::places), component.vertices),
                    {},
                    0,
                    0};
    if (full.vertices < 2) return full;
    const VertexId octets = full.tournament().octets;
    full.tiles.resize(FullStress::bytes(full.vertices) / 4);
    double shortest = std::numeric_limits<double>::infinity(), longest = 0;
    ParallelErrors errors;
#pragma omp parallel num_threads(threads) reduction(min : shortest) reduction(max : longest)
    {
        std::optional<Paths> paths;
        errors.run([&] { paths.emplace(component); });
#pragma omp for schedule(dynamic, 1)
        for (VertexId o = 0; o < octets; ++o) {
            if (!paths) continue;
            float* const row = full.tiles.data() + tile_of(o, o, octets);
            std::fill(row, row + EdgeId{octets - o} * octet * octet, 0.0F);
            for (VertexId i = 0; i < octet && o * octet + i < full.vertices; ++i) {
                const auto distance = paths->from(full.vertex[o * octet + i]);
                for (VertexId place = o * octet + i + 1; place < full.vertices; ++place) {
                    const double d = distance[full.vertex[place]];
                    shortest = std::min(shortest, d), longest = std::max(longest, d);
                    const VertexId j = place % octet, r = i ^ j;
                    float* const tile = row + EdgeId{place / octet - o} * octet * octet + r * octet;
                    tile[i] = static_cast<float>(1 / d);
                    if (place / octet == o) tile[j] = tile[i];
                }
            }
        }
    }
    errors.rethrow();
    full.shortest = static_cast<float>(shortest), full.longest = static_cast<float>(longest);
    return full;
}

void sweep_on_cpu(const FullStress& full, const SweepOrder& order, float half_eta, Positions& positions,
                  int threads, bool racing) {
    if (full.vertices < 2) return;
    const auto run = positions.dimensions == 3 ? sweep<3> : sweep<2>;
    run(full, order, half_eta, positions, threads, racing);
}

double stress_of(const FullStress& full, const Positions& positions, int threads) {
    if (full.vertices < 2) return 0;
    return positions.dimensions == 3 ? stress<3>(full, positions, threads)
                                     : stress<2>(full, positions, threads);
}

}  // namespace lockstep::layout
