// A part of a hub's edges on a thread block, by maps (hub_map.hpp).
#pragma once

#include "lockstep/executor/device/shared.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/hub_map.cuh"
#include "lockstep/executor/edge/stars.hpp"

namespace lockstep::gpu {

/// What lies in shared memory, by 32-bit words: the maps of the segments; work, some batches of leaves; some
/// maps of other blocks; rows of products; the vectors before each segment, and behind the last; of the
/// batches in work the values and the leaves' ids; the steps of one; the hub's vector; scales. Where it is
/// not enough the maps of others lie where the leaves do, and the rows in device memory.
template <class Chip>
struct HubPartRoom {
    using Map = HubMap<Chip>;
    using Maps = BlockMaps<Map>;
    static constexpr int threads = Maps::threads, map_floats = Maps::floats, row_floats = Map::K + 4,
                         leaves = Map::segments * Map::batch,  ///< of a batch
        pad = 4;      ///< words behind those of a segment, so that those of neighbours are in other banks
    int stride = 0;   ///< words of a vector as it is stored
    int batches = 0;  ///< in work
    int maps = 0;     ///< of other blocks
    bool has_rows = false;
    bool keeps_leaves = false;  ///< work has all batches, and maps lie elsewhere
    int work_at = 0, maps_at = 0, rows_at = 0, vectors_at = 0, values_at = 0, ids_at = 0, steps_at = 0,
        centre_at = 0, scales_at = 0, end = 0;

    /// For segments of `most` batches and so many maps of other blocks, or fewer, in so many bytes.
    HubPartRoom(EdgeId vector_bytes, int most, int of_others, EdgeId available)
        : stride(static_cast<int>(vector_bytes / 4)) {
        const int in_work = std::max(2, most);
        lay_out(in_work, of_others, true, most);
        if (bytes() > available) lay_out(2, of_others, false, most);
        if (bytes() > available) lay_out(2, 1, false, most);
        if (bytes() > available) lay_out(2, of_others, false, 0);
        if (bytes() > available) lay_out(2, 1, false, 0);
        keeps_leaves = keeps_leaves && batches >= most;
    }
    EdgeId bytes() const { return EdgeId{4} * static_cast<unsigned>(end); }
    /// Floats of a block's rows of products where they lie in device memory.
    static EdgeId rows_of(EdgeId edges) {
        return EdgeId{leaves * row_floats} * static_cast<unsigned>(HubSegments<Map>(edges).batches());
    }

private:
    void lay_out(int in_work, int of_others, bool apart, int in_rows) {
        const int all_maps = of_others * map_floats,
                  all_leaves = in_work * (leaves * stride + Map::segments * pad);
        batches = in_work, has_rows = in_rows > 0, keeps_leaves = apart;
        work_at = Map::tree * map_floats;
        maps_at = work_at + (apart ? all_leaves : 0);
        rows_at = apart ? maps_at + all_maps : work_at + std::max(all_maps, all_leaves);
        maps = (rows_at - maps_at) / map_floats;
        vectors_at = rows_at + in_rows * leaves * row_floats;
        values_at = vectors_at + (Map::tree + 1) * Map::K;
        ids_at = values_at + in_work * leaves;
        steps_at = ids_at + in_work * leaves;
        centre_at = steps_at + leaves;
        scales_at = centre_at + stride;
        end = scales_at + static_cast<int>(sizeof(typename Map::Scales) / sizeof(float));
    }
};

/// One part after another, of any hubs. All functions are for the first `threads` threads of a block
/// together, and end where all of them are through.
template <class Op, class Chip>
class HubPart {
    using Map = HubMap<Chip>;
    using Maps = BlockMaps<Map>;
    using Room = HubPartRoom<Chip>;
    using Share = typename Op::Share;
    using Address = std::uint32_t;
    static constexpr int K = Map::K, S = Map::segments, T = Map::tree, batch = Map::batch,
                         leaves = Room::leaves;

public:
    struct Parameters {
        EdgesView edges;
        Chip chip, turned;
        Room room;
        float* rows;  ///< in device memory, of a block `block_rows`; where there is no room for them
        EdgeId block_rows;
    };
    __device__ HubPart(const Parameters& p, const void* memory)
        : p_(p), memory_(shared_address(memory)), pieces_(p.room.stride / 4) {
        leaf_ = thread() / pieces_, piece_ = thread() % pieces_;
        if (!is_own<Share> && thread() == 0) find_scales(p.chip);
    }

    /// The next one: part number `part` of the star of that word (StarsPlan), whose edges end before `end`.
    /// Asks for what no edge changes.
    __device__ __forceinline__ void look(EdgeId word, EdgeId end, int part) {
        const EdgeId begin = StarsPlan::edge_of(word);
        const HubSegments<Map> cut(end - begin);
        const EdgeId first = cut.begin(EdgeId{S} * static_cast<unsigned>(part)),
                     behind = cut.begin(EdgeId{S} * static_cast<unsigned>(part + 1));
        around_row_ = word & StarsPlan::row_bit;
        used_ = cut.of_part(part), parts_ = cut.parts();
        length_ = static_cast<int>(cut.length), edges_ = static_cast<int>(behind - first);
        begin_ = begin + first;
        if (used_ == 0) return;
        centre_ = load_constant((around_row_ ? p_.edges.row : p_.edges.col) + begin_);
        if constexpr (is_own<Share>) share_ = load_constant(chip().shares.cols + centre_);
        ask(0);
    }
    /// Segments of the part; parts of the star that have any.
    __device__ __forceinline__ int used() const { return used_; }
    __device__ __forceinline__ int parts() const { return parts_; }
    __device__ __forceinline__ Address nodes() const { return memory_; }
    __device__ __forceinline__ Address root() const { return memory_ + Maps::bytes * (T - 1); }
    __device__ __forceinline__ Address maps() const { return at(p_.room.maps_at); }
    /// Before each segment.
    __device__ __forceinline__ Address vectors() const { return at(p_.room.vectors_at); }

    /// The tree of the maps of the segments, and in the first of vectors() the hub's vector as it is before
    /// the star.
    __device__ __forceinline__ void find_maps() {
        const Chip op = chip();
        if (thread() < pieces_)
            copy_piece(at(p_.room.centre_at + 4 * thread()),
                       op.col_vectors() + EdgeId{centre_} * static_cast<unsigned>(4 * p_.room.stride) +
                           16 * thread());
        if (is_own<Share> && thread() == 0) find_scales(op);
        const int column = thread() % Maps::columns, segment = thread() / Maps::columns,
                  edges = segment < S ? edges_of(segment) : 0;
        float a[K];
#pragma unroll
        for (int i = 0; i < K; ++i) a[i] = i == column ? 1 : 0;
        for_each_batch(true, true, [&](int b) {
            const int n = min(batch, edges - batch * b);
            if (n > 0) find_products(op, b, segment, n, column, a);
        });
        if (segment < S) Maps::store_column(nodes() + Maps::bytes * static_cast<Address>(segment), column, a);
        if (thread() < K / 4) {
            float four[4] = {};
            if (op.has_component(4 * thread()))
                op.take_few(
                    at(p_.room.centre_at) + Chip::component_bytes * static_cast<Address>(4 * thread()), four);
            store_float4(vectors() + 16 * static_cast<Address>(thread()),
                         make_float4(four[0], four[1], four[2], four[3]));
        }
        Maps::sync();
        Maps::compose_up(nodes(), T, used());
    }
    /// With the vector before the part in the first of vectors(), and the part the last one: the hub's vector
    /// behind it goes to where it belongs. One warp.
    __device__ __forceinline__ void store_centre() const {
        Maps::apply(root(), vectors(), vector_at(T));
        const Chip op = chip();
        if (thread() < Chip::Lanes::threads) op.store_col(centre_, lane_of(op, vector_at(T)));
    }
    /// With the vector before the part in the first of vectors(): all edges. Returns those of this thread's
    /// lane group.
    __device__ __forceinline__ EdgeId run_edges() {
        constexpr int lanes = Chip::Lanes::threads, warps = Room::threads / 32;
        static_assert(warps * (32 / lanes) >= S);
        Maps::apply_down(nodes(), T, used(), vectors());
        const Chip op = chip();
        const int segment = thread() % 32 / lanes * warps + thread() / 32,
                  edges = segment < S ? edges_of(segment) : 0;
        auto centre = lane_of(op, vector_at(min(segment, S)));
        for_each_batch(!p_.room.keeps_leaves, false, [&](int b) {
            if (p_.room.has_rows)
                find_steps(b, [&](int word) { return load_float4(at(p_.room.rows_at + word)); });
            else
                find_steps(
                    b, [&](int word) { return *reinterpret_cast<const float4*>(rows_in_memory() + word); });
            Maps::sync();
            const int n = min(batch, edges - batch * b);
            if (n > 0) update(op, centre, b, segment, n);
        });
        return static_cast<EdgeId>(edges);
    }

private:
    __device__ __forceinline__ static int thread() { return static_cast<int>(threadIdx.x); }
    __device__ __forceinline__ Address at(int word) const { return memory_ + 4 * static_cast<Address>(word); }
    /// The operator with the hub for a column.
    __device__ __forceinline__ Chip chip() const {
        Chip op = around_row_ ? p_.turned : p_.chip;
        if constexpr (requires { op.keep_in_registers(); }) op.keep_in_registers();
        return op;
    }
    // Where members of Scales lie.
    __device__ __forceinline__ Address scale_at(std::size_t offset, int i) const {
        return at(p_.room.scales_at) + static_cast<Address>(offset) + 4 * static_cast<Address>(i);
    }
    __device__ void find_scales(const Chip& op) const {
        const typename Map::Scales scales(op.keep_of(share_), op.rate, multiply(share_, op.rate));
        const auto* const words = reinterpret_cast<const float*>(&scales);
        for (int i = 0; i < static_cast<int>(sizeof scales / 4); ++i) store_float(scale_at(0, i), words[i]);
    }
    __device__ __forceinline__ int edges_of(int segment) const {
        return max(0, min(length_, edges_ - segment * length_));
    }
    __device__ __forceinline__ float* rows_in_memory() const { return p_.rows + blockIdx.x * p_.block_rows; }
    __device__ __forceinline__ Address vector_at(int segment) const {
        return vectors() + 4 * K * static_cast<Address>(segment);
    }
    /// Single-precision numbers as a lane's part of a vector.
    __device__ __forceinline__ auto lane_of(const Chip& op, Address vector) const {
        return op.template take_lane<float>(vector + Chip::template lane_offset<float>(), share_);
    }

    /// visit(leaf of the batch, edge) of those that there are, `apart` leaves from one to the next of a
    /// thread's.
    template <class Visit>
    __device__ __forceinline__ void for_each_leaf(int b, int first, int apart, Visit visit) const {
#pragma unroll 4
        for (int leaf = first; leaf < leaves; leaf += apart) {
            const int in_segment = batch * b + leaf % batch, e = leaf / batch * length_ + in_segment;
            if (in_segment < length_ && e < edges_) visit(leaf, begin_ + static_cast<unsigned>(e));
        }
    }
    // Where a leaf of a batch in work has its vector, its value or its id.
    __device__ __forceinline__ Address work_of(int b, int leaf) const {
        return at(p_.room.work_at + b % p_.room.batches * (leaves * p_.room.stride + S * Room::pad) +
                  leaf * p_.room.stride + leaf / batch * Room::pad);
    }
    __device__ __forceinline__ Address word_of(int first, int b, int leaf) const {
        return at(first + b % p_.room.batches * leaves + leaf);
    }
    /// Asks for the values and ids of a batch of every segment; with them, for the vectors, by pieces of 16
    /// bytes.
    __device__ __forceinline__ void ask(int b) const {
        const VertexId* const leaf_of = around_row_ ? p_.edges.col : p_.edges.row;
        for_each_leaf(b, thread(), Room::threads, [&](int leaf, EdgeId e) {
            copy_word(word_of(p_.room.values_at, b, leaf), p_.edges.value + e);
            copy_word(word_of(p_.room.ids_at, b, leaf), leaf_of + e);
        });
    }
    __device__ __forceinline__ void fetch(int b) const {
        const std::byte* const vectors =
            (around_row_ ? p_.chip.col_vectors() : p_.chip.row_vectors()) + 16 * piece_;
        const int apart = Room::threads / pieces_;
        if (leaf_ >= apart) return;
        for_each_leaf(b, leaf_, apart, [&](int leaf, EdgeId) {
            const EdgeId id = load_word(word_of(p_.room.ids_at, b, leaf));
            copy_piece(work_of(b, leaf) + 16 * static_cast<Address>(piece_),
                       vectors + id * static_cast<unsigned>(4 * p_.room.stride));
        });
    }
    /// run(batch), one after another, their leaves fetched one ahead if asked for. `again`: the first ones
    /// are asked for once more behind the last, where they have given way.
    template <class Run>
    __device__ __forceinline__ void for_each_batch(bool fetches, bool again, Run run) {
        const int batches = (length_ + batch - 1) / batch;
        if (fetches) {
            copies_done();
            Maps::sync();
            fetch(0);
            if (batches > 1) ask(1);
        }
#pragma unroll 1
        for (int b = 0; b < batches; ++b) {
            if (fetches) copies_done();
            Maps::sync();
            if (fetches && b + 1 < batches) fetch(b + 1);
            run(b);
            if (fetches && batches > 1) {
                Maps::sync();  // before a batch's ids give way to those of one after
                if (b + 2 < batches) ask(b + 2);
            }
        }
        if (again && batches > p_.room.batches) ask(0);
        Maps::sync();
    }

    /// Some edges of a segment, for a column of its map.
    __device__ __forceinline__ void find_products(const Chip& op, int b, int segment, int edges, int column,
                                                  float (&a)[K]) const {
        const float factor = load_float(scale_at(offsetof(typename Map::Scales, factor), 0));
        const int first = segment * batch, row = (b * leaves + first) * Room::row_floats + column;
        Address vector = work_of(b, first), value = word_of(p_.room.values_at, b, first),
                inverse = scale_at(offsetof(typename Map::Scales, inverse), 0),
                row_on_chip = at(p_.room.rows_at + row);
        float* row_in_memory = rows_in_memory() + row;
        const Address vector_bytes = 4 * static_cast<Address>(p_.room.stride);
        const bool on_chip = p_.room.has_rows, is_constant = column == K;
        float w[K], weight, scale;
        const auto load = [&] {
            weight = load_float(value), scale = load_float(inverse);
#pragma unroll
            for (int i = 0; i < K; i += 4) {
                float four[4] = {};
                if (op.has_component(i))
                    op.take_few(vector + Chip::component_bytes * static_cast<Address>(i), four);
#pragma unroll
                for (int d = 0; d < 4; ++d) w[i + d] = four[d];
            }
            vector += vector_bytes, value += 4, inverse += 4;
        };
        load();
#pragma unroll 1
        for (int j = 0; j < edges; ++j) {
            float sum[4];
#pragma unroll
            for (int i = 0; i < K; ++i) Map::add_product(i, sum, w[i], a[i]);
            const float constant = multiply(weight, scale),
                        product = add(Map::total(sum), is_constant ? -constant : -0.0F),
                        by = multiply(factor, product);
#pragma unroll
            for (int i = 0; i < K; ++i) a[i] = fused_multiply_add(by, w[i], a[i]);
            if (on_chip)
                store_float(row_on_chip, product);
            else
                *row_in_memory = product;
            row_on_chip += 4 * Room::row_floats, row_in_memory += Room::row_floats;
            if (j + 1 < edges) load();
        }
        const float power = load_float(scale_at(offsetof(typename Map::Scales, power), edges));
#pragma unroll
        for (int i = 0; i < K; ++i) a[i] = multiply(power, a[i]);
    }
    /// Of a batch of every segment, an edge a thread; four_of(word) are numbers of the rows.
    template <class Four>
    __device__ __forceinline__ void find_steps(int b, Four four_of) const {
        for_each_leaf(b, thread(), Room::threads, [&](int leaf, EdgeId) {
            const int row = (b * leaves + leaf) * Room::row_floats;
            const Address h = vector_at(leaf / batch);
            float sum[2][4];
#pragma unroll
            for (int c = 0; c < K; c += 4) {
                const float4 p = four_of(row + c), v = load_float4(h + 4 * static_cast<Address>(c));
                float(&s)[4] = sum[c / 4 % 2];
                const float ps[4] = {p.x, p.y, p.z, p.w}, vs[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
                for (int d = 0; d < 4; ++d)
                    s[d] = c < 8 ? multiply(ps[d], vs[d]) : fused_multiply_add(ps[d], vs[d], s[d]);
            }
            const float all = add(add(Map::total(sum[0]), Map::total(sum[1])), four_of(row + K).x),
                        scale = load_float(scale_at(offsetof(typename Map::Scales, step), leaf % batch));
            store_float(at(p_.room.steps_at + leaf), multiply(scale, all));
        });
    }
    /// Some edges of a segment with their steps, by a lane group. What the next one needs is loaded before
    /// one is stored.
    __device__ __forceinline__ void update(const Chip& op, typename Chip::Col& centre, int b, int segment,
                                           int edges) const {
        const int first = segment * batch;
        struct Edge {
            VertexId id;
            float step;
            typename Chip::Row vector;
        };
        Address step = at(p_.room.steps_at + first), id = word_of(p_.room.ids_at, b, first),
                vector = work_of(b, first) + Chip::lane_offset();
        const auto load = [&] {
            Edge edge{load_word(id), load_float(step), {}};
            Share share{};
            if constexpr (is_own<Share>) share = load_constant(op.shares.rows + edge.id);
            edge.vector = op.take_lane(vector, share);
            id += 4, step += 4, vector += 4 * static_cast<Address>(p_.room.stride);
            return edge;
        };
        Edge next = load();
#pragma unroll 1
        for (int j = 0; j < edges; ++j) {
            Edge edge = next;
            if (j + 1 < edges) next = load();
            op.update(edge.vector, centre, edge.step);
            op.store_row(edge.id, edge.vector);
        }
    }

    const Parameters& p_;
    const Address memory_;
    const int pieces_;
    int leaf_, piece_;  ///< of this thread's first copy
    // The present part.
    EdgeId begin_ = 0;
    int used_ = 0, parts_ = 0, length_ = Map::shortest, edges_ = 0;
    bool around_row_ = false;
    VertexId centre_ = 0;
    Share share_{};
};

}  // namespace lockstep::gpu
