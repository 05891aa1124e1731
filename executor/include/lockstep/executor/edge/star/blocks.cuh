// The long stars of the stars walk (stars.cuh) on the GPU. Some warps of a thread block process a star
// together; they copy its leaves to shared memory and back, one segment at a time. In shared memory the star
// is processed as in the tiled walk: one warp per segment, and one warp that follows the chain through the
// segments (star/places.cuh).
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/copies.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/star/long_star.cuh"
#include "lockstep/executor/edge/stars.hpp"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

/// The layout of shared memory, in 32-bit words; each part is a multiple of 16 bytes. The parts are the
/// places (slots of the pipeline, star/places.cuh), the vectors of two segments of 16 leaves per place, a
/// vector of zeros, and the centre.
struct LongStarMemory {
    static constexpr int leaves = 16;
    int places, stride;  ///< number of places; distance of consecutive vectors in 32-bit words
    int vectors_at, end;

    template <class Op>
    static LongStarMemory of(const Op& op, EdgeId bytes) {
        LongStarMemory layout{tuning::long_star_places + 1, static_cast<int>(op.vector_bytes() / 4), 0, 0};
        do {
            --layout.places;
            layout.vectors_at = LongStar<Op>::fixed_floats + layout.places * LongStar<Op>::place_floats;
            layout.end = layout.vectors_at + layout.vectors() * layout.stride;
        } while (layout.places > 1 && layout.bytes() > bytes);
        return layout;
    }
    EdgeId bytes() const { return EdgeId{4} * static_cast<unsigned>(end); }
    LOCKSTEP_HD int null() const { return 2 * leaves * places; }
    LOCKSTEP_HD int centre() const { return null() + 1; }
    LOCKSTEP_HD int vectors() const { return null() + 2; }
};

struct LongStarsView {
    EdgesView edges;
    const EdgeId* stars;  ///< offset and flags of each star, as in StarsPlan
    /// offset of each phase in `long_stars`; indices of the long stars
    const EdgeId *phase_long, *long_stars;
};

/// Replaces LongStars if no star of the plan is long, or if the operator does not support it.
struct NoLongStars {
    struct Parameters {};
    __device__ NoLongStars(const Parameters&, float*) {}
    __device__ static constexpr int warps() { return 0; }
    __device__ static EdgeId run(EdgeId, DeviceBarrierOfWarps&) { return 0; }
};

/// Processes the long stars of a thread block with its first `warps()` warps.
template <class Op>
class LongStars {
    using Long = LongStar<Op>;
    using Address = std::uint32_t;

public:
    struct Parameters {
        LongStarsView plan;
        LongStarMemory layout;
        Op op;
    };
    __device__ LongStars(const Parameters& p, float* memory)
        : plan_(p.plan), layout_(p.layout), op_(p.op), memory_(memory), pieces_(p.layout.stride / 4) {
        const int thread = static_cast<int>(threadIdx.x);
        for (int i = thread; i < layout_.stride; i += static_cast<int>(blockDim.x))
            memory_[layout_.vectors_at + layout_.null() * layout_.stride + i] = 0;
        if (thread == 0) {
            Long::initialise(op_, memory_, layout_.places);
            BulkBarrier::initialised();
        }
        __syncthreads();
    }
    __device__ __forceinline__ int warps() const { return layout_.places + 1; }
    /// Processes the block's long stars of all phases. Returns their number of edges in the threads of one
    /// lane group, and 0 in all others.
    __device__ __forceinline__ EdgeId run(EdgeId phases, DeviceBarrierOfWarps& barrier) {
        EdgeId done = 0, index = 0, last = 0;
        const auto look_first = [&](EdgeId phase) {
            index = load_constant(plan_.phase_long + phase) + blockIdx.x;
            last = load_constant(plan_.phase_long + phase + 1);
            if (index < last) look(index);
        };
        look_first(0);
        for (EdgeId p = 0; p < phases; ++p) {
            while (index < last) {
                done += run_star();
                if ((index += gridDim.x) < last) look(index);
            }
            barrier.arrive();
            if (p + 1 < phases) look_first(p + 1);
            barrier.wait();
        }
        return done;
    }

private:
    __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x) % 32; }
    __device__ __forceinline__ int warp() const { return static_cast<int>(threadIdx.x) / 32; }
    __device__ __forceinline__ Address vector(int i) const {
        return shared_address(memory_ + layout_.vectors_at + i * layout_.stride);
    }
    /// Loads the data of a star that does not change: its size, and the indices of its leaves and centre.
    __device__ __forceinline__ void look(EdgeId index) {
        const EdgeId star = load_constant(plan_.long_stars + index), word = load_constant(plan_.stars + star),
                     begin = StarsPlan::edge_of(word);
        around_row_ = word & StarsPlan::row_bit;
        size_ = static_cast<int>(StarsPlan::edge_of(load_constant(plan_.stars + star + 1)) - begin);
        leaf_of_ = (around_row_ ? plan_.edges.col : plan_.edges.row) + begin;
        value_of_ = plan_.edges.value + begin;
        centre_ = load_constant((around_row_ ? plan_.edges.row : plan_.edges.col) + begin);
        if (warp() < layout_.places) edge_ = read(ahead_);
    }
    /// The edge of a segment that one lane loads.
    struct Edge {
        VertexId leaf = 0;
        float value = 0;
    };
    __device__ __forceinline__ Edge read(int segment) const {
        const int e = LongStarMemory::leaves * segment + lane();
        if (lane() >= LongStarMemory::leaves || e >= size_) return {};
        return {load_constant(leaf_of_ + e), load_constant(value_of_ + e)};
    }
    __device__ __forceinline__ unsigned run_star() {
        const Long star(op_, memory_, vector(layout_.null()));
        const int segments = (size_ + LongStarMemory::leaves - 1) / LongStarMemory::leaves;
        if (warp() < layout_.places) {
            run_segments(star, segments);
            return 0;
        }
        std::byte* const centres = around_row_ ? op_.row_vectors() : op_.col_vectors();
        fetch(centres, centre_, 1, layout_.centre());
        wait_for_copies();
        __syncwarp();
        star.follow(next_, layout_.places, vector(layout_.centre()), size_);
        __syncwarp();
        put_back(centres, centre_, 1, layout_.centre());
        __syncwarp();
        return lane() < Op::Lanes::threads ? static_cast<unsigned>(size_) : 0;
    }
    /// Processes the segments of a star that belong to this warp. The leaves of the warp's next segment are
    /// loaded while the current segment waits for its steps.
    __device__ __forceinline__ void run_segments(const Long& star, int segments) {
        std::byte* const leaves = around_row_ ? op_.col_vectors() : op_.row_vectors();
        if (ahead_ < segments) fetch_leaves(leaves, edge_, ahead_, parity_);
        for (; ahead_ < segments; ahead_ += layout_.places, parity_ ^= 1) {
            const int after = ahead_ + layout_.places, count = leaves_of(ahead_), at = first_leaf(parity_);
            const Edge next = read(after);
            wait_for_copies();
            __syncwarp();
            star.begin(warp(), count, vector(at + lane()), edge_.value);
            if (after < segments) fetch_leaves(leaves, next, after, parity_ ^ 1);
            star.finish(warp(), count, parity_);
            put_back(leaves, edge_.leaf, count, at);
            __syncwarp();
            edge_ = next;
        }
        ahead_ -= segments;
    }
    __device__ __forceinline__ int leaves_of(int segment) const {
        return min(LongStarMemory::leaves, size_ - LongStarMemory::leaves * segment);
    }
    /// Returns the position, in shared memory, of the first leaf of this warp. The warp uses two buffers
    /// alternately.
    __device__ __forceinline__ int first_leaf(unsigned parity) const {
        return LongStarMemory::leaves * (2 * warp() + static_cast<int>(parity));
    }
    __device__ __forceinline__ void fetch_leaves(const std::byte* leaves, const Edge& edge, int segment,
                                                 unsigned parity) const {
        fetch(leaves, edge.leaf, leaves_of(segment), first_leaf(parity));
    }
    /// Calls copy(word of shared memory, byte of `vectors`) for each 16-byte piece of `count` vectors, whose
    /// IDs are in the first lanes.
    template <class Copy>
    __device__ __forceinline__ void for_each_piece(VertexId id, int count, int first, Copy copy) const {
        const int all = count * pieces_;
#pragma unroll 4
        for (int base = 0; base < all; base += 32) {
            const int n = base + lane(), owner = min(n, all - 1) / pieces_;
            const EdgeId of = __shfl_sync(~0U, id, owner);
            if (n < all)
                copy(layout_.vectors_at + (first + owner) * layout_.stride + 4 * (n - owner * pieces_),
                     of * static_cast<unsigned>(4 * layout_.stride) +
                         static_cast<unsigned>(16 * (n - owner * pieces_)));
        }
    }
    __device__ __forceinline__ void fetch(const std::byte* vectors, VertexId id, int count, int first) const {
        for_each_piece(id, count, first,
                       [&](int word, EdgeId byte) { copy_piece(memory_ + word, vectors + byte); });
    }
    __device__ __forceinline__ void put_back(std::byte* vectors, VertexId id, int count, int first) const {
        for_each_piece(id, count, first, [&](int word, EdgeId byte) {
            store_shared(reinterpret_cast<float4*>(vectors + byte),
                         *reinterpret_cast<const float4*>(memory_ + word));
        });
    }

    const LongStarsView& plan_;
    const LongStarMemory layout_;
    Op op_;
    float* const memory_;
    const int pieces_;
    // The current star, and this lane's edge of the next segment that this warp processes.
    bool around_row_ = false;
    // number of edges of the star; number of segments before this warp's next one
    int size_ = 0, ahead_ = warp();
    unsigned parity_ = 0;
    const VertexId* leaf_of_ = nullptr;
    const float* value_of_ = nullptr;
    VertexId centre_ = 0;
    Edge edge_;
    typename Long::Next next_{};
};

}  // namespace lockstep::gpu
