// The factor vectors of SGD in memory, as the operator (operator.hpp) and the walks that keep vectors in
// shared memory access them.
//
// A vector of rank k has ceil(k / 4) chunks of four components. The last chunk is padded with zeros, which
// updates leave zero. A vector is distributed over L lanes: lane l holds the chunks l, l + L, …. The dot
// product adds the first halves and the second halves of a lane's chunks separately, then adds the two sums,
// then the sums of the lanes (HostLanes::sum).
//
// A component in memory is a float or a Half (half.hpp); all arithmetic is in single precision. With Half, a
// vector is rounded to nearest even whenever it is stored, and every walk stores at the same points:
// - both endpoints after each edge, even if the column stays in shared memory for its next edge (as_stored);
// - BlkDiag: a column that is kept for several edges of a task after the last of these edges, and rows after
// each edge;
// - tiled: in a star, each leaf after its edge, and the centre after the star. Between the edges of a star,
// and between the segments of a long star, the centre stays in single precision.
// The initial factors are rounded, too. With locks or unsynchronized updates, the rounding depends on the
// order in which the workers run.
#pragma once

#include <algorithm>
#include <type_traits>

#include "apps/sgd/chunk.hpp"
#include "apps/sgd/storage.hpp"
#include "lockstep/executor/edge/on_chip.hpp"
#if !defined(__CUDACC__)
#include "apps/sgd/wide.hpp"
#endif

namespace lockstep::sgd {

/// Functions that load and store vectors, as a base class of operators. `Operator` must have the members
/// row_factors, col_factors and chunks. If `Full`, every lane has all its chunks, so the test for chunks
/// after the last one is omitted, which saves time on a CPU.
template <class Operator, class LaneGroup, int ChunksPerLane, bool Full, class StoredAs>
struct Vectors {
    using Lanes = LaneGroup;
    using Element = StoredAs;  ///< type of a component in memory: float or Half
    static constexpr int components = 4 * LaneGroup::lanes * ChunksPerLane;

    /// The components of one endpoint's vector that this thread holds.
    struct Vector {
        float x[ChunksPerLane][Lanes::held][4];
    };
    using Row = Vector;
    using Col = Vector;

    /// Returns the offset of the vector with index `place` in an array, in elements.
    template <class E = Element>
    LOCKSTEP_HD std::size_t offset_of(std::size_t place) const {
        return place * stride_of_chunks<E>(chunk_count());
    }
    LOCKSTEP_HD std::size_t chunk_count() const {
        constexpr int most = Lanes::lanes * ChunksPerLane;
        return static_cast<std::size_t>(Full || most == 1 ? most : op().chunks);
    }
    LOCKSTEP_HD bool has(int chunk) const { return Full || chunk < op().chunks; }

    /// Loads the vector with index `place` from an array. With `Cached`, the load may use this
    /// multiprocessor's L1 cache.
    template <bool Cached = false>
    LOCKSTEP_HD Vector load(const Element* vectors, std::size_t place) const {
        return load_components<Cached>(vectors + offset_of(place));
    }
    template <bool Cached, class E>
    LOCKSTEP_HD Vector load_components(const E* base) const {
        Vector v;
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (has(chunk)) {
                    load_chunk<Cached>(base + 4 * chunk, v.x[c][i]);
                } else {
                    for (int j = 0; j < 4; ++j) v.x[c][i][j] = 0;
                }
            }
        }
        return v;
    }
    template <bool Cached = false, class E>
    LOCKSTEP_HD void store(E* vectors, std::size_t place, const Vector& v) const {
        E* const base = vectors + offset_of<E>(place);
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (has(chunk)) store_chunk<Cached>(base + 4 * chunk, v.x[c][i]);
            }
        }
    }
    /// take() loads one vector of Element or float with ordinary loads; put() stores one with ordinary
    /// stores.
    template <class E>
    LOCKSTEP_HD Vector take(const E* vector) const {
        return load_components<true>(vector);
    }
    template <class E>
    LOCKSTEP_HD void put(E* vector, const Vector& v) const {
        store<true>(vector, 0, v);
    }
    /// Returns the vector rounded to Element, that is, as it would be after a store and a load.
    LOCKSTEP_HD static Vector as_stored(Vector v) {
        for (auto& lane : v.x) {
            for (auto& chunk : lane) {
                for (float& x : chunk) x = to_float(stored_as<Element>(x));
            }
        }
        return v;
    }

#if defined(__CUDACC__)
    /// load_lane() loads this lane's part of a vector from shared memory; store_lane() stores it. `address`
    /// is the address of this lane's first chunk, and E is the type of a component in shared memory: Element
    /// or float.
    template <class E = Element>
    __device__ __forceinline__ Vector load_lane(std::uint32_t address) const {
        Vector v{};
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
    __device__ __forceinline__ void store_lane(std::uint32_t address, const Vector& v, bool really) const {
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
    __device__ __forceinline__ bool has_component(int i) const { return i < 4 * op().chunks; }
    /// load_consecutive() loads one, two or four consecutive components from the shared-memory address of the
    /// first; store_consecutive() stores them.
    template <int n>
    __device__ __forceinline__ static void load_consecutive(std::uint32_t address, float (&x)[n]) {
        Chunk<Element>::load(address, x);
    }
    template <int n>
    __device__ __forceinline__ static void store_consecutive(std::uint32_t address, const float (&x)[n]) {
        Chunk<Element>::store(address, x);
    }

    LOCKSTEP_HD std::byte* row_vectors() const { return reinterpret_cast<std::byte*>(op().row_factors); }
    LOCKSTEP_HD std::byte* col_vectors() const { return reinterpret_cast<std::byte*>(op().col_factors); }
    EdgeId vector_bytes() const { return sizeof(Element) * offset_of(1); }
#else
    /// widen() converts all components of a vector to floats, with zeros after the last one; narrow()
    /// converts them back.
    void widen(const Element* vector, float* to) const {
        sgd::widen(vector, chunk_count(), to);
        std::fill(to + 4 * chunk_count(), to + components, 0.0F);
    }
    void narrow(const float* from, Element* vector) const { sgd::narrow(from, chunk_count(), vector); }
    Element* row_at(VertexId u) const { return op().row_factors + offset_of(u); }
    Element* col_at(VertexId v) const { return op().col_factors + offset_of(v); }
#endif

    LOCKSTEP_HD Row load_row(VertexId u) const { return load(op().row_factors, u); }
    LOCKSTEP_HD Col load_col(VertexId v) const { return load(op().col_factors, v); }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { store(op().row_factors, u, row); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { store(op().col_factors, v, col); }

#if defined(__CUDACC__)
    __device__ __forceinline__ Row load_row_cached(VertexId u) const {
        return load<true>(op().row_factors, u);
    }
    __device__ __forceinline__ Col load_col_cached(VertexId v) const {
        return load<true>(op().col_factors, v);
    }
    __device__ __forceinline__ void store_row_cached(VertexId u, const Row& w) const {
        store<true>(op().row_factors, u, w);
    }
    __device__ __forceinline__ void store_col_cached(VertexId v, const Col& h) const {
        store<true>(op().col_factors, v, h);
    }
    /// Number of chunks in a 32-byte sector.
    static constexpr int sector = 32 / static_cast<int>(chunk_bytes<>);
    static constexpr int prefetch_words = (Lanes::lanes * ChunksPerLane + sector - 1) / sector;
    __device__ __forceinline__ void prefetch_row(VertexId u, float* sink) const {
        touch(op().row_factors, u, sink);
    }
    __device__ __forceinline__ void prefetch_col(VertexId v, float* sink) const {
        touch(op().col_factors, v, sink);
    }
    __device__ __forceinline__ void add_row(VertexId u, const Row& was, const Row& w) const {
        add_difference(op().row_factors, u, was, w);
    }
    __device__ __forceinline__ void add_col(VertexId v, const Col& was, const Col& h) const {
        add_difference(op().col_factors, v, was, h);
    }
    /// Adds the change of an update, v - was, to a vector in shared memory, without atomics. The vector is
    /// read immediately before the addition, so few concurrent updates are lost.
    __device__ __forceinline__ static void add_to(Vector& shared, const Vector& was, const Vector& v) {
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int j = 0; j < 4; ++j) shared.x[c][0][j] += v.x[c][0][j] - was.x[c][0][j];
        }
    }

private:
    /// Prefetches a vector into the cache: copies one word of each of its sectors to `sink`, without waiting
    /// for the copies.
    __device__ __forceinline__ void touch(const Element* factors, VertexId vertex, float* sink) const {
        const Element* base = factors + offset_of(vertex);
        for (int c = 0; c < ChunksPerLane; ++c) {
            const int chunk = Lanes::lane(0) + c * Lanes::lanes;
            if (chunk >= op().chunks || chunk % sector) continue;
            gpu::copy_word(sink + chunk / sector, base + 4 * chunk);
        }
    }
    /// Adds the change of an update, v - was, atomically to a vector in device memory, so that no change is
    /// lost if workers update the vector concurrently.
    __device__ __forceinline__ void add_difference(Element* factors, VertexId vertex, const Vector& was,
                                                   const Vector& v) const {
        Element* base = factors + offset_of(vertex);
        for (int c = 0; c < ChunksPerLane; ++c) {
            const int chunk = Lanes::lane(0) + c * Lanes::lanes;
            if (chunk >= op().chunks) continue;
            float change[4];
            for (int j = 0; j < 4; ++j) change[j] = v.x[c][0][j] - was.x[c][0][j];
            add_to_chunk(base + 4 * chunk, change);
        }
    }

public:
#endif

#if defined(LOCKSTEP_WIDE)
    /// Prefetch distance: number of edges between the current edge and the edge whose vectors are prefetched.
    static constexpr EdgeId fetch_ahead = std::clamp(96 / (Lanes::lanes * ChunksPerLane), 8, 24);
    LOCKSTEP_HD void fetch_row(VertexId u) const { fetch(row_at(u)); }
    LOCKSTEP_HD void fetch_col(VertexId v) const { fetch(col_at(v)); }
    LOCKSTEP_HD void fetch(const Element* vector) const {
        const char* const begin = reinterpret_cast<const char*>(vector);
        for (std::size_t at = 0; at < 4 * chunk_count() * sizeof(Element); at += 64)
            // prefetches for writing, which removes the cache line from other cores
            asm volatile("prefetchw %0" ::"m"(begin[at]));
    }
    /// Prefetches the vectors of an edge for reading, so other cores may keep their copies of the cache
    /// lines.
    void fetch_to_read(VertexId u, VertexId v) const {
        for (const Element* vector : {row_at(u), col_at(v)}) {
            const char* const begin = reinterpret_cast<const char*>(vector);
            for (std::size_t at = 0; at < 4 * chunk_count() * sizeof(Element); at += 64)
                asm volatile("prefetcht0 %0" ::"m"(begin[at]));
        }
    }
#endif

private:
    LOCKSTEP_HD const Operator& op() const { return static_cast<const Operator&>(*this); }
};

}  // namespace lockstep::sgd
