// Stochastic gradient descent on one rating: the work of the SGD application on one edge.
//
//     e = r - dot(w_u, h_v)
//     w_u <- w_u + rate (e h_v - reg w_u)        h_v <- h_v + rate (e w_u - reg h_v)
//
// both from the old vectors (Kaleem et al., section II), written with keep = 1 - rate reg as
// x <- fma(rate e, y, keep x). NMF clips at `floor` = 0; otherwise floor is minus infinity.
// With rates of the vectors' own an end takes its share a of both: x <- fma(a rate e, y, (1 - a rate reg) x).
//
// A vector of rank k lies in memory as ceil(k / 4) chunks of four components, the last padded with zeros,
// which updates leave zero. Lane l holds the chunks l, l + L, …; the dot product sums the first and
// the second halves of a lane's chunks, then the two, then the lanes (HostLanes::sum).
//
// In memory a component is a float or a Half (half.hpp); all arithmetic is in single precision. With Half a
// vector is rounded to nearest even whenever it goes to memory, in every walk at the same places:
// - both ends after each edge, also where the column waits on chip for its next one (as_stored);
// - a column that a task keeps over several edges (BlkDiag) after the last of them, the rows after each;
// - of a star (tiled) each leaf after its edge, the centre after the star: between its edges, and between the
//   segments of a long star, it stays in single precision.
// The initial factors are rounded, too. Under locks and racing it depends on who comes when.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "apps/sgd/chunk.hpp"
#include "apps/sgd/shares_apart.hpp"
#include "apps/sgd/storage.hpp"
#include "lockstep/executor/edge/on_chip.hpp"
#if !defined(__CUDACC__)
#include "apps/sgd/wide.hpp"
#endif

namespace lockstep {
struct PhasesPlan;
struct ResidentPlan;
struct TasksPlan;
struct TiledPlan;
struct CoreTailPlan;
struct LocalPlan;
}  // namespace lockstep

namespace lockstep::sgd {

template <class Plan, class... Plans>
inline constexpr bool is_one_of = (std::is_same_v<Plan, Plans> || ...);
/// Walks without locks or races. Rates of the vectors' own have GPU kernels of these at every rank, of others
/// at the largest one alone, which serve all ranks.
template <class Plan>
inline constexpr bool has_all_ranks =
    is_one_of<Plan, PhasesPlan, ResidentPlan, TasksPlan, TiledPlan, CoreTailPlan, LocalPlan>;

/// `Clips` false leaves out the test against `floor`, which must be minus infinity then.
/// `Full` leaves out the test for chunks behind the last: every lane has all of its. `OwnRates`: vectors have
/// shares of the rate.
template <class LaneGroup, int ChunksPerLane, bool Clips = true, bool Full = false, class StoredAs = float,
          bool OwnRates = false>
struct SgdOperator {
    using Lanes = LaneGroup;
    using Element = StoredAs;  ///< of a vector in memory: float or Half
    static constexpr int components = 4 * LaneGroup::lanes * ChunksPerLane;
    static constexpr bool affine = !Clips;
    using Share = std::conditional_t<OwnRates, float, WholeRate>;
    /// Where they are (SharesApart).
    static constexpr bool apart = OwnRates && is_on_gpu<LaneGroup>, behind = OwnRates && !apart;
    using Shares = std::conditional_t<apart, SharesApart, NoShares>;
    template <class Plan>
    static constexpr bool runs_on = !OwnRates || has_all_ranks<Plan> || components == max_rank;

    /// The components of one endpoint that this thread holds, and its share of the rate.
    struct Components {
        float x[ChunksPerLane][Lanes::held][4];
    };
    struct WithShare : Components {
        float share;
    };
    using Vector = std::conditional_t<OwnRates, WithShare, Components>;
    using Row = Vector;
    using Col = Vector;

    Element* row_factors;  ///< rows x stride_of(rank)
    Element* col_factors;  ///< cols x stride_of(rank)
    int chunks;            ///< ceil(rank / 4), at most ChunksPerLane * Lanes::lanes
    float rate, keep, floor;
    bool relaxed = false;  ///< the edges of a long star's segment leave out its couplings (tiled/star.hpp)
    Shares shares{};

    /// With rows for columns; its update treats both ends alike.
    SgdOperator turned() const {
        SgdOperator op = *this;
        std::swap(op.row_factors, op.col_factors);
        return op;
    }
    /// Where vector number `place` of an array begins, in elements.
    template <class E = Element>
    LOCKSTEP_HD std::size_t offset_of(std::size_t place) const {
        return place * (rate_at<E>() + (behind ? sizeof(OwnRate) / sizeof(E) : 0));
    }
    /// Behind its components.
    template <class E = Element>
    LOCKSTEP_HD std::size_t rate_at() const {
        return stride_of_chunks<E>(chunk_count());
    }
    LOCKSTEP_HD std::size_t chunk_count() const {
        constexpr int most = Lanes::lanes * ChunksPerLane;
        return static_cast<std::size_t>(Full || most == 1 ? most : chunks);
    }
    LOCKSTEP_HD bool has(int chunk) const { return Full || chunk < chunks; }

    LOCKSTEP_HD static Share share_of(const Vector& v) {
        if constexpr (OwnRates)
            return v.share;
        else
            return {};
    }
    LOCKSTEP_HD float keep_of(Share share) const {
        if constexpr (OwnRates)
            return fused_multiply_add(-share, add(1, -keep), 1);
        else
            return keep;
    }
    /// Of a vector in a CPU's memory.
    LOCKSTEP_HD Share share_at(const Element* vector) const {
        Share share{};
        if constexpr (behind) std::memcpy(&share, vector + rate_at(), sizeof share);
        return share;
    }
    LOCKSTEP_HD Share row_share(VertexId u) const {
        if constexpr (apart)
            return load_constant(shares.rows + u);
        else
            return share_at(row_factors + offset_of(u));
    }
    LOCKSTEP_HD Share col_share(VertexId v) const {
        if constexpr (apart)
            return load_constant(shares.cols + v);
        else
            return share_at(col_factors + offset_of(v));
    }

    /// Vector number `place` of an array. `Near`: it may come from this multiprocessor's cache.
    template <bool Near = false>
    LOCKSTEP_HD Vector load(const Element* vectors, std::size_t place, Share share) const {
        return load_components<Near>(vectors + offset_of(place), share);
    }
    template <bool Near, class E>
    LOCKSTEP_HD Vector load_components(const E* base, Share share) const {
        Vector v;
        if constexpr (OwnRates) v.share = share;
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (has(chunk)) {
                    load_chunk<Near>(base + 4 * chunk, v.x[c][i]);
                } else {
                    for (int j = 0; j < 4; ++j) v.x[c][i][j] = 0;
                }
            }
        }
        return v;
    }
    template <bool Near = false, class E>
    LOCKSTEP_HD void store(E* vectors, std::size_t place, const Vector& v) const {
        E* const base = vectors + offset_of<E>(place);
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (has(chunk)) store_chunk<Near>(base + 4 * chunk, v.x[c][i]);
            }
        }
    }
    /// The same of one vector, of elements or of floats, near: plain loads and stores.
    template <class E>
    LOCKSTEP_HD Vector take(const E* vector, Share share) const {
        return load_components<true>(vector, share);
    }
    template <class E>
    LOCKSTEP_HD void put(E* vector, const Vector& v) const {
        store<true>(vector, 0, v);
    }
    /// As it would come back from memory.
    LOCKSTEP_HD static Vector as_stored(Vector v) {
        for (auto& lane : v.x) {
            for (auto& chunk : lane) {
                for (float& x : chunk) x = to_float(stored_as<Element>(x));
            }
        }
        return v;
    }

#if defined(__CUDACC__)
    /// Vectors by address in shared memory, of this lane's first chunk (E: of elements or of floats).
    __device__ __forceinline__ Vector take_lane(std::uint32_t address) const {
        return take_lane(address, share_at(address));
    }
    __device__ __forceinline__ Share share_at(std::uint32_t address) const {
        if constexpr (apart)
            return __uint_as_float(gpu::load_word(shares.address_of(address)));
        else
            return {};
    }
    template <class E = Element>
    __device__ __forceinline__ Vector take_lane(std::uint32_t address, Share share) const {
        Vector v{};
        if constexpr (OwnRates) v.share = share;
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                if (has(Lanes::lane(i) + c * Lanes::lanes))
                    load_chunk_at<E>(address + chunk_bytes<E> * (c * Lanes::lanes + i * Lanes::threads),
                                     v.x[c][i]);
            }
        }
        return v;
    }
    template <class E = Element>
    __device__ __forceinline__ void put_lane(std::uint32_t address, const Vector& v, bool really) const {
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i)
                store_chunk_if<E>(really && has(Lanes::lane(i) + c * Lanes::lanes),
                                  address + chunk_bytes<E> * (c * Lanes::lanes + i * Lanes::threads),
                                  v.x[c][i]);
        }
    }
    template <class E = Element>
    static constexpr std::uint32_t chunk_bytes = 4 * sizeof(E);
    static constexpr std::uint32_t component_bytes = sizeof(Element);
    template <class E = Element>
    __device__ __forceinline__ static std::uint32_t lane_offset() {
        return chunk_bytes<E> * static_cast<std::uint32_t>(Lanes::lane(0));
    }
    __device__ __forceinline__ bool has_component(int i) const { return Full || i < 4 * chunks; }
    /// One, two or four neighbouring components by the address of the first.
    template <int n>
    __device__ __forceinline__ static void take_few(std::uint32_t address, float (&x)[n]) {
        Chunk<Element>::load(address, x);
    }
    template <int n>
    __device__ __forceinline__ static void put_few(std::uint32_t address, const float (&x)[n]) {
        Chunk<Element>::store(address, x);
    }

    LOCKSTEP_HD std::byte* row_vectors() const { return reinterpret_cast<std::byte*>(row_factors); }
    LOCKSTEP_HD std::byte* col_vectors() const { return reinterpret_cast<std::byte*>(col_factors); }
    EdgeId vector_bytes() const { return sizeof(Element) * offset_of(1); }
    /// Without the tests that this run does not need.
    template <class Run>
    void on_chip(Run run) const {
        if (floor >= 0) {
            run(on<WarpLanes<Lanes::lanes>, true, false>());
        } else if (chunks == Lanes::lanes * ChunksPerLane) {
            run(on<WarpLanes<Lanes::lanes>, false, true>());
        } else {
            run(on<WarpLanes<Lanes::lanes>, false, false>());
        }
    }
    /// Of ranks 33 to 128 a vector is on half as many threads, so that twice as many stars run at once.
    __device__ __forceinline__ auto on_step_lanes() const {
        constexpr int held = Lanes::lanes >= 16 && ChunksPerLane == 1 ? 2 : 1;
        return on<WarpLanes<Lanes::lanes, held>, Clips, Full>();
    }
    __device__ __forceinline__ void keep_in_registers() { asm volatile("" : "+f"(rate), "+f"(keep)); }
#else
    /// All components of a vector as floats, zeros behind the last; and back.
    void widen(const Element* vector, float* to) const {
        sgd::widen(vector, chunk_count(), to);
        std::fill(to + 4 * chunk_count(), to + components, 0.0F);
    }
    void narrow(const float* from, Element* vector) const { sgd::narrow(from, chunk_count(), vector); }
    Element* row_at(VertexId u) const { return row_factors + offset_of(u); }
    Element* col_at(VertexId v) const { return col_factors + offset_of(v); }
#endif

    LOCKSTEP_HD Row load_row(VertexId u) const { return load(row_factors, u, row_share(u)); }
    LOCKSTEP_HD Col load_col(VertexId v) const { return load(col_factors, v, col_share(v)); }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { store(row_factors, u, row); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { store(col_factors, v, col); }

#if defined(__CUDACC__)
    __device__ __forceinline__ Row near_row(VertexId u) const {
        return load<true>(row_factors, u, row_share(u));
    }
    __device__ __forceinline__ Col near_col(VertexId v) const {
        return load<true>(col_factors, v, col_share(v));
    }
    __device__ __forceinline__ void put_row(VertexId u, const Row& w) const {
        store<true>(row_factors, u, w);
    }
    __device__ __forceinline__ void put_col(VertexId v, const Col& h) const {
        store<true>(col_factors, v, h);
    }
    static constexpr int sector = 32 / static_cast<int>(chunk_bytes<>);  ///< chunks in 32 bytes
    static constexpr int touch_words = (Lanes::lanes * ChunksPerLane + sector - 1) / sector;
    __device__ __forceinline__ void touch_row(VertexId u, float* sink) const {
        touch(row_factors, u, sink);
        if constexpr (apart) touch_share(shares.rows + u, sink);
    }
    __device__ __forceinline__ void touch_col(VertexId v, float* sink) const {
        touch(col_factors, v, sink);
        if constexpr (apart) touch_share(shares.cols + v, sink);
    }
    /// Added to, a vector may fall below the floor.
    __host__ __device__ bool adds() const { return !(floor >= 0); }
    __device__ __forceinline__ void add_row(VertexId u, const Row& was, const Row& w) const {
        add_difference(row_factors, u, was, w);
    }
    __device__ __forceinline__ void add_col(VertexId v, const Col& was, const Col& h) const {
        add_difference(col_factors, v, was, h);
    }
    /// The same for a vector in shared memory, not atomically: what it holds is read at the last moment.
    __device__ __forceinline__ static void add_to(Vector& shared, const Vector& was, const Vector& v) {
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int j = 0; j < 4; ++j) shared.x[c][0][j] += v.x[c][0][j] - was.x[c][0][j];
        }
    }

private:
    /// One word of each sector, copied to `sink` without waiting for it, brings the vector near.
    __device__ __forceinline__ void touch(const Element* factors, VertexId vertex, float* sink) const {
        const Element* base = factors + offset_of(vertex);
        for (int c = 0; c < ChunksPerLane; ++c) {
            const int chunk = Lanes::lane(0) + c * Lanes::lanes;
            if (chunk >= chunks || chunk % sector) continue;
            gpu::copy_word(sink + chunk / sector, base + 4 * chunk);
        }
    }
    __device__ __forceinline__ static void touch_share(const float* share, float* sink) {
        if (Lanes::lane(0) == 0) gpu::copy_word(sink, share);
    }
    /// Adds what an update changed: two workers that race for a vector lose neither's part.
    __device__ __forceinline__ void add_difference(Element* factors, VertexId vertex, const Vector& was,
                                                   const Vector& v) const {
        Element* base = factors + offset_of(vertex);
        for (int c = 0; c < ChunksPerLane; ++c) {
            const int chunk = Lanes::lane(0) + c * Lanes::lanes;
            if (chunk >= chunks) continue;
            float change[4];
            for (int j = 0; j < 4; ++j) change[j] = v.x[c][0][j] - was.x[c][0][j];
            add_to_chunk(base + 4 * chunk, change);
        }
    }

public:
#endif

    /// Each held lane's part of the dot product.
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

    LOCKSTEP_HD void apply(Row& w, Col& h, float rating, const Place&) const {
        update(w, h, multiply(rate, add(rating, -dot(w, h))));
    }

    /// The update with step = rate x error. It treats both ends alike, bit for bit.
    LOCKSTEP_HD void update(Vector& w, Vector& h, float step) const {
        const float step_w = multiply(share_of(w), step), keep_w = keep_of(share_of(w)),
                    step_h = multiply(share_of(h), step), keep_h = keep_of(share_of(h));
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                for (int j = 0; j < 4; ++j) {
                    const float old_w = w.x[c][i][j], old_h = h.x[c][i][j];
                    w.x[c][i][j] = at_least(fused_multiply_add(step_w, old_h, multiply(keep_w, old_w)));
                    h.x[c][i][j] = at_least(fused_multiply_add(step_h, old_w, multiply(keep_h, old_h)));
                }
            }
        }
    }

    float dot_of(VertexId u, VertexId v) const { return dot(load_row(u), load_col(v)); }
#if defined(LOCKSTEP_WIDE)
    /// What a CPU with wide registers does on the vectors in memory, to the same bits.
    static constexpr bool wide = Lanes::held > 1 && Lanes::held == Lanes::lanes && !Clips;
    using WideVectors = Wide<wide ? Lanes::lanes : 2, ChunksPerLane, Full>;

    float dot_of(VertexId u, VertexId v) const requires(wide) {
        return WideVectors(chunk_count()).dot(row_at(u), col_at(v));
    }
    void run_edge(Element* w, Element* h, float rating) const requires(wide) {
        WideVectors(chunk_count()).update(*this, w, h, rating);
    }
    /// A star's edges in order (tiled/star.hpp), two or four at a time: leaf(i) and rating(i) are those of
    /// edge i.
    template <int batch, class Leaf, class Rating>
    void run_star(float* centre, Share share, std::size_t edges, Leaf leaf, Rating rating) const
        requires(wide) {
        WideVectors(chunk_count()).template run_star<batch>(*this, centre, share, edges, leaf, rating);
    }
    /// Edges between the one that asks for its vectors and the one that works.
    static constexpr EdgeId fetch_ahead = std::clamp(96 / (Lanes::lanes * ChunksPerLane), 8, 24);
    LOCKSTEP_HD void fetch_row(VertexId u) const { fetch(row_at(u)); }
    LOCKSTEP_HD void fetch_col(VertexId v) const { fetch(col_at(v)); }
    LOCKSTEP_HD void fetch(const Element* vector) const {
        const char* const begin = reinterpret_cast<const char*>(vector);
        for (std::size_t at = 0; at < 4 * chunk_count() * sizeof(Element) + (OwnRates ? 4 : 0); at += 64)
            asm volatile("prefetchw %0" ::"m"(begin[at]));  // for writing: no other core has it then
    }
#endif

    /// The same on other lanes.
    template <class OtherLanes, bool OtherClips, bool OtherFull>
    LOCKSTEP_HD SgdOperator<OtherLanes, ChunksPerLane, OtherClips, OtherFull, Element, OwnRates> on() const {
        SgdOperator<OtherLanes, ChunksPerLane, OtherClips, OtherFull, Element, OwnRates> op{
            row_factors, col_factors, chunks, rate, keep, floor, relaxed};
        op.shares = shares;
        return op;
    }

    /// A NaN stays a NaN, so that divergence is seen.
    LOCKSTEP_HD float at_least(float x) const { return Clips && x < floor ? floor : x; }
};

}  // namespace lockstep::sgd
