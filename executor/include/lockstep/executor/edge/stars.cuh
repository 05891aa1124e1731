// The walk phase ⊃ star (stars.hpp) on the GPU: one cooperative launch runs all phases, with one lane group
// per star.
//
// The vector of the centre stays in registers. The vectors of the next leaves are loaded while earlier leaves
// are updated; this is correct because the leaves of a star are different vertices. IDs and values, which do
// not change, are loaded before the barrier. Each long star runs on several warps of a thread block
// (star/blocks.cuh).
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/star/blocks.cuh"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

struct StarsView {
    EdgesView edges;
    EdgeId phases;
    const EdgeId *phase_stars, *stars;
    EdgeId* counters;
};

/// The range of a star's edges. It is loaded first, because all other loads depend on it.
struct StarWords {
    EdgeId begin = 0, end = 0;
    __device__ __forceinline__ void look(const StarsView& plan, EdgeId star) {
        begin = load_constant(plan.stars + star), end = load_constant(plan.stars + star + 1);
    }
};

/// The part of a star that is loaded in advance: its size and its centre, and the IDs and values of its next
/// `ahead` leaves.
struct StarAhead {
    static constexpr unsigned ahead = tuning::star_ahead;
    bool around_row = false;
    unsigned edges = 0;
    VertexId centre = 0;
    const VertexId* leaf_of = nullptr;  ///< address of the leaf of the star's first edge
    const float* value_of = nullptr;
    VertexId leaf[ahead] = {};
    float value[ahead] = {};

    /// Loads the star's size, centre and first leaves. If `leaves_long`, a long star gets 0 edges, because
    /// other warps process it.
    __device__ __forceinline__ void look(const StarsView& plan, const StarWords& words, bool leaves_long) {
        const EdgeId begin = StarsPlan::edge_of(words.begin);
        edges = static_cast<unsigned>(StarsPlan::edge_of(words.end) - begin);
        if (leaves_long && words.begin & StarsPlan::long_bit) edges = 0;
        around_row = words.begin & StarsPlan::row_bit;
        leaf_of = (around_row ? plan.edges.col : plan.edges.row) + begin;
        value_of = plan.edges.value + begin;
        if (edges) centre = load_constant((around_row ? plan.edges.row : plan.edges.col) + begin);
#pragma unroll
        for (unsigned i = 0; i < ahead; ++i) {
            if (i < edges) read(i, i);
        }
    }
    __device__ __forceinline__ void read(unsigned e, unsigned i) {
        leaf[i] = load_constant(leaf_of + e), value[i] = load_constant(value_of + e);
    }
};

/// A star while a lane group processes it, with its vectors in registers. The centre is a column of `op` and
/// the leaves are rows; a star around a row passes the transposed operator.
template <class Op>
struct StarInRegisters {
    static constexpr unsigned ahead = StarAhead::ahead;
    const Op& op;
    StarAhead star;
    typename Op::Col centre;
    typename Op::Row row[ahead];
    VertexId at[ahead];
    float value[ahead];

    __device__ __forceinline__ StarInRegisters(const Op& o, const StarAhead& s)
        : op(o), star(s), centre(o.load_col(s.centre)) {
#pragma unroll
        for (unsigned i = 0; i < ahead; ++i) prefetch<false>(i, i);
    }
    __device__ __forceinline__ void run(const EdgePosition& place) {
        unsigned e = 0;
        for (; e + 3 * ahead <= star.edges; e += ahead) run_some<true>(e, place);
        for (; e < star.edges; e += ahead) run_some<false>(e, place);
        op.store_col(star.centre, centre);
    }

private:
    /// Loads the vector of the leaf of edge e into slot `i`, and then the ID and the value of edge e + ahead.
    /// `all` means that both edges exist.
    template <bool all>
    __device__ __forceinline__ void prefetch(unsigned e, unsigned i) {
        if (!all && e >= star.edges) return;
        at[i] = star.leaf[i], value[i] = star.value[i];
        row[i] = op.load_row(at[i]);
        if (all || e + ahead < star.edges) star.read(e + ahead, i);
    }
    template <bool all>
    __device__ __forceinline__ void run_some(unsigned first, const EdgePosition& place) {
#pragma unroll
        for (unsigned i = 0; i < ahead; ++i) {
            if (!all && first + i >= star.edges) return;
            auto leaf = row[i];
            const VertexId leaf_at = at[i];
            const float weight = value[i];
            prefetch<all>(first + i + ahead, i);
            op.apply(leaf, centre, weight, EdgePosition{place.edge + first + i, place.round, place.task});
            op.store_row(leaf_at, leaf);
        }
    }
};

/// Processes the stars of this lane group in all phases, and returns their number of edges. Must be called by
/// all threads of the warps with index ≥ first_warp; lower warps process the long stars. The barrier after
/// each phase includes all warps.
template <class Op, class TurnedOp>
__device__ __forceinline__ EdgeId run_stars(const StarsView& plan, const Op& op, const TurnedOp& turned,
                                            int first_warp, DeviceBarrierOfWarps& barrier) {
    constexpr EdgeId groups = 32 / Op::Lanes::lanes;
    const bool leaves_long = first_warp > 0;
    const EdgeId warp = threadIdx.x / 32 - static_cast<unsigned>(first_warp),
                 warps = blockDim.x / 32 - static_cast<unsigned>(first_warp);
    const EdgeId worker = (warp * gridDim.x + blockIdx.x) * groups + threadIdx.x % 32 / Op::Lanes::lanes,
                 workers = warps * gridDim.x * groups;
    EdgeId done = 0, s = 0, last = 0;
    StarAhead star;
    StarWords words;  // edge range of the star after the next one
    // Loads the range, IDs and values of this group's first stars of phase p. They do not change, so this may
    // precede the barrier.
    const auto look = [&](EdgeId p) {
        s = load_constant(plan.phase_stars + p) + worker, last = load_constant(plan.phase_stars + p + 1);
        if (s >= last) return;
        words.look(plan, s);
        star.look(plan, words, leaves_long);
        if (s + workers < last) words.look(plan, s + workers);
    };
    look(0);
    for (EdgeId p = 0; p < plan.phases; ++p) {
        for (; s < last; s += workers) {
            StarAhead next;
            if (s + workers < last) next.look(plan, words, leaves_long);
            if (s + 2 * workers < last) words.look(plan, s + 2 * workers);
            if (star.edges) {
                const auto first = static_cast<EdgeId>(star.value_of - plan.edges.value);
                const auto run = [&](const auto mine) {
                    StarInRegisters<std::remove_const_t<decltype(mine)>>(mine, star)
                        .run(EdgePosition{first, p, s});
                };
                if constexpr (std::is_same_v<Op, TurnedOp>)
                    run(star.around_row ? turned : op);
                else
                    star.around_row ? run(turned) : run(op);
                done += star.edges;
            }
            star = next;
        }
        barrier.arrive();
        if (p + 1 < plan.phases) look(p + 1);
        barrier.wait();
    }
    return done;
}

/// Runs all stars. If there are long stars, some warps of each thread block run them, and the other warps run
/// the remaining stars.
template <EdgeOperator Op, EdgeOperator TurnedOp, class Long>
__global__ void __launch_bounds__(tuning::stars.threads, 1)
    star_kernel(const StarsView plan, const Op op, const TurnedOp turned,
                const typename Long::Parameters of_long) {
#if defined(LOCKSTEP_NO_BULK_COPIES)
    if constexpr (!std::is_same_v<Long, NoLongStars>)
        return;
    else
#endif
    {
        extern __shared__ __align__(16) unsigned char shared[];
        DeviceBarrierOfWarps barrier(plan.counters + arrivals);
        Long long_stars(of_long, reinterpret_cast<float*>(shared));
        const EdgeId done = static_cast<int>(threadIdx.x) < 32 * long_stars.warps()
                                ? long_stars.run(plan.phases, barrier)
                                : run_stars(plan, op, turned, long_stars.warps(), barrier);
        add_of_block<Op>(plan.counters + updates, done, shared);
    }
}

template <>
class DeviceWalk<StarsPlan> : public Counting {
public:
    DeviceWalk(const EdgeList&, const EdgesView& edges, const StarsPlan& plan)
        : view_{edges, plan.phases(), nullptr, nullptr, counters_.data()},
          long_view_{edges, nullptr, nullptr, nullptr} {
        put(view_.phase_stars, phase_stars_, plan.phase_stars);
        put(view_.stars, stars_, plan.stars);
        std::vector<EdgeId> phase_long{0}, long_stars;
        for (EdgeId p = 0; p < plan.phases(); ++p) {
            const EdgeId last = std::min(plan.phase_stars[p] + hub_stars, plan.phase_stars[p + 1]);
            for (EdgeId s = plan.phase_stars[p]; s < last; ++s) {
                if (plan.is_long(s)) long_stars.push_back(s);
            }
            phase_long.push_back(long_stars.size());
        }
        has_long_stars_ = !long_stars.empty();
        long_view_.stars = view_.stars;
        put(long_view_.phase_long, phase_long_, phase_long);
        put(long_view_.long_stars, long_, long_stars);
    }
    static EdgeId bytes(const EdgeList&, const StarsPlan& plan) {
        return plan.bytes() + sizeof(EdgeId) * (plan.phases() + 1 + plan.long_stars());
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        const auto turned_op = swap_sides(op);
        const auto run = [&]<class Long>(std::type_identity<Long>, EdgeId bytes,
                                         const typename Long::Parameters& long_stars) {
            launch(star_kernel<Op, decltype(swap_sides(op)), Long>, tuning::stars, bytes, view_, op,
                   turned_op, long_stars);
        };
        bool launched = false;
        if constexpr (HasSharedMemoryOperator<Op>) {
            op.run_in_shared_memory([&]<class Chip>(const Chip& chip) {
                if constexpr (Chip::affine) {
                    if (!has_long_stars_) return;
                    const LongStarMemory layout = LongStarMemory::of(chip, device_properties().shared_bytes);
                    run(std::type_identity<LongStars<Chip>>{}, layout.bytes(), {long_view_, layout, chip});
                    launched = true;
                }
            });
        }
        if (!launched) run(std::type_identity<NoLongStars>{}, sizeof(unsigned), {});
    }

private:
    Buffer<EdgeId> phase_stars_, stars_, phase_long_, long_;
    StarsView view_;
    LongStarsView long_view_;
    bool has_long_stars_ = false;
};

}  // namespace lockstep::gpu
