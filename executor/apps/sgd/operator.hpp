// The operator of SGD for matrix factorization: the update of the factor vectors w_u and h_v for one rating r
// of row u and column v,
//
//     e = r - dot(w_u, h_v)
//     w_u <- w_u + rate (e h_v - reg w_u)        h_v <- h_v + rate (e w_u - reg h_v)
//
// where both updates use the old vectors (Kaleem et al., section II). The code computes them as x <- fma(rate
// e, y, keep x) with keep = 1 - rate reg. In non-negative factorization (NMF), factors are clipped at `floor`
// = 0; otherwise `floor` is minus infinity. vectors.hpp describes the layout of the vectors in memory, their
// sums and their rounding.
#pragma once

#include <utility>

#include "apps/sgd/vectors.hpp"
#include "lockstep/executor/edge/on_chip.hpp"
#if defined(__CUDACC__)
#include "apps/sgd/component.cuh"
#else
#include "apps/sgd/wide.hpp"
#endif

namespace lockstep::sgd {

/// If `Clips` is false, factors are not compared with `floor`, which must be minus infinity. The other
/// template parameters are those of Vectors.
template <class LaneGroup, int ChunksPerLane, bool Clips = true, bool Full = false, class StoredAs = float>
struct SgdOperator : Vectors<SgdOperator<LaneGroup, ChunksPerLane, Clips, Full, StoredAs>, LaneGroup,
                             ChunksPerLane, Full, StoredAs> {
    using Memory = Vectors<SgdOperator, LaneGroup, ChunksPerLane, Full, StoredAs>;
    using Memory::load_col, Memory::load_row;
    using typename Memory::Col, typename Memory::Element, typename Memory::Lanes, typename Memory::Row,
        typename Memory::Vector;
    static constexpr bool affine = !Clips;

    Element* row_factors;  ///< vectors of the rows: rows x stride_of(rank)
    Element* col_factors;  ///< vectors of the columns: cols x stride_of(rank)
    int chunks;  ///< number of chunks in a vector: ceil(rank / 4), at most ChunksPerLane * Lanes::lanes
    float rate, keep, floor;

    /// Returns the operator with rows and columns exchanged, which is possible since the update is the same
    /// for both endpoints.
    SgdOperator swap_sides() const {
        SgdOperator op = *this;
        std::swap(op.row_factors, op.col_factors);
        return op;
    }
#if defined(__CUDACC__)
    template <class Run>
    void run_in_shared_memory(Run run) const {
        if (floor >= 0) {
            run(on<WarpLanes<Lanes::lanes>, true>());
        } else {
            run(on<WarpLanes<Lanes::lanes>, false>());
        }
    }
    /// Returns the equivalent operator with one component per thread, for ranks whose vectors are held by
    /// four threads with four components each.
    ComponentOperator by_component() const
        requires(std::is_same_v<LaneGroup, DeviceLanes<4>>&& ChunksPerLane == 1 &&
                 std::is_same_v<StoredAs, float>) {
        return {row_factors, col_factors, 4 * chunks, rate, keep, floor};
    }
    /// Returns the operator for stars with few edges. At ranks 33 to 128, half as many threads process a
    /// vector, so that twice as many stars run concurrently.
    __device__ __forceinline__ auto on_step_lanes() const {
        constexpr int held = Lanes::lanes >= 16 && ChunksPerLane == 1 ? 2 : 1;
        return on<WarpLanes<Lanes::lanes, held>, Clips>();
    }
    __device__ __forceinline__ void keep_in_registers() { asm volatile("" : "+f"(rate), "+f"(keep)); }
    /// Returns true if concurrent updates may be added to the factors atomically. They may not in NMF,
    /// because a sum could be less than the floor.
    __host__ __device__ bool adds() const { return !(floor >= 0); }
#endif

    /// Computes the part of the dot product that each lane held by this thread contributes.
    LOCKSTEP_HD static void partial_dot(const Vector& a, const Vector& b, float (&partial)[Lanes::held]) {
        for (int i = 0; i < Lanes::held; ++i) {
            float sum[2];
            for (int j = 0; j < 2; ++j) {
                sum[j] = multiply(a.x[0][i][2 * j], b.x[0][i][2 * j]);
                sum[j] = fused_multiply_add(a.x[0][i][2 * j + 1], b.x[0][i][2 * j + 1], sum[j]);
            }
            for (int c = 1; c < ChunksPerLane; ++c) {
                for (int j = 0; j < 4; ++j)
                    sum[j / 2] = fused_multiply_add(a.x[c][i][j], b.x[c][i][j], sum[j / 2]);
            }
            partial[i] = add(sum[0], sum[1]);
        }
    }
    LOCKSTEP_HD static float dot(const Vector& a, const Vector& b) {
        float partial[Lanes::held];
        partial_dot(a, b, partial);
        return Lanes::sum(partial);
    }

    LOCKSTEP_HD void apply(Row& w, Col& h, float rating, const EdgePosition&) const {
        update(w, h, multiply(rate, add(rating, -dot(w, h))));
    }

    /// Updates both vectors for step = rate x error. The arithmetic is the same for both endpoints.
    LOCKSTEP_HD void update(Vector& w, Vector& h, float step) const {
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                for (int j = 0; j < 4; ++j) {
                    const float old_w = w.x[c][i][j], old_h = h.x[c][i][j];
                    w.x[c][i][j] = at_least(fused_multiply_add(step, old_h, multiply(keep, old_w)));
                    h.x[c][i][j] = at_least(fused_multiply_add(step, old_w, multiply(keep, old_h)));
                }
            }
        }
    }

    float dot_of(VertexId u, VertexId v) const { return dot(load_row(u), load_col(v)); }
#if defined(LOCKSTEP_WIDE)
    /// Whether SIMD code for CPUs (wide.hpp) updates the vectors directly in memory, with bitwise identical
    /// results.
    static constexpr bool wide = Lanes::held > 1 && Lanes::held == Lanes::lanes && !Clips;
    using WideVectors = Wide<wide ? Lanes::lanes : 2, ChunksPerLane, Full>;

    float dot_of(VertexId u, VertexId v) const requires(wide) {
        return WideVectors(this->chunk_count()).dot(this->row_at(u), this->col_at(v));
    }
    void run_edge(Element* w, Element* h, float rating) const requires(wide) {
        WideVectors(this->chunk_count()).update(*this, w, h, rating);
    }
    /// Runs the edges of a star in order (star/arithmetic.hpp), two or four at a time (`batch`). leaf(i)
    /// returns the vector of the leaf of edge i, and rating(i) its rating.
    template <int batch, class Leaf, class Rating>
    void run_star(float* centre, std::size_t edges, Leaf leaf, Rating rating) const requires(wide) {
        WideVectors(this->chunk_count()).template run_star<batch>(*this, centre, edges, leaf, rating);
    }
#endif

    /// Returns the same operator for another group of lanes.
    template <class OtherLanes, bool OtherClips>
    LOCKSTEP_HD SgdOperator<OtherLanes, ChunksPerLane, OtherClips, Full, Element> on() const {
        return {{}, row_factors, col_factors, chunks, rate, keep, floor};
    }

    /// Returns x, clipped at `floor`. NaN is not clipped, so that divergence can be detected.
    LOCKSTEP_HD float at_least(float x) const { return Clips && x < floor ? floor : x; }
};

}  // namespace lockstep::sgd
