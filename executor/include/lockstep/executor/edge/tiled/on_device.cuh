// TiledOnOne: the arrays of a tiled plan in the memory of one device, without its streams, and the launches
// of the kernel (kernel.cuh).
#pragma once

#include <algorithm>
#include <span>

#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/tiled/kernel.cuh"

namespace lockstep::gpu {

namespace tiled {

/// Copies vectors between two orders: vector i of `ordered` corresponds to vector order[i] of `given`. Copies
/// from `given` to `ordered` or, if `back`, in the other direction. A vector consists of `pieces` pieces of
/// type Piece.
template <class Piece>
__global__ void reorder(Piece* ordered, Piece* given, const VertexId* order, EdgeId vectors, unsigned pieces,
                        bool back) {
    const EdgeId stride = EdgeId{gridDim.x} * blockDim.x;
    for (EdgeId n = EdgeId{blockIdx.x} * blockDim.x + threadIdx.x; n < vectors * pieces; n += stride) {
        const EdgeId i = n / pieces, there = order[i] * EdgeId{pieces} + n % pieces;
        if (back) {
            given[there] = ordered[n];
        } else {
            ordered[n] = given[there];
        }
    }
}

}  // namespace tiled

/// The addresses of the vectors of rows and columns in device memory, where they are in the order of the
/// vertices.
struct Vectors {
    std::byte *rows, *cols;
    Vectors swap_sides() const { return {cols, rows}; }
};

/// A part of the work of a sweep: some consecutive phases in which a share of the columns meets a row group
/// in a super-stratum (tile_grid.hpp), and the range of their streams.
struct TilePiece {
    EdgeId share, stratum;
    EdgeId first_phase, phases;
    EdgeId first_word, words;
};

/// The arrays of a tiled plan in the memory of one device, except for its streams (streams.cuh).
class TiledOnOne {
public:
    /// Uploads the plan. If `packed`, this object also has a copy of the columns' vectors, in the order of
    /// the blocks of columns; otherwise the kernel accesses them in the operator's memory.
    TiledOnOne(const TiledPlan& plan, const TiledSizes& sizes, const TiledShape& shape,
               const OperatorSize& size, bool packed)
        : grid_(sizes.grid),
          shape_(shape),
          row_count_(plan.row_order.size()),
          col_count_(plan.col_order.size()),
          tile_words_(sizes.tile_words),
          row_parts_(plan.row_parts),
          col_parts_(plan.col_parts),
          row_order_(plan.row_order),
          col_order_(plan.col_order),
          rows_(row_count_ * size.vector_bytes / 4),
          cols_(packed ? col_count_ * size.vector_bytes / 4 : 0),
          done_(grid_.item_blocks) {
        view_.col_blocks = static_cast<int>(grid_.item_blocks);
        view_.row_blocks = static_cast<int>(grid_.user_blocks);
        view_.max_cols = static_cast<int>(sizes.max_cols);
        view_.max_rows = static_cast<int>(sizes.max_rows);
        view_.max_words = static_cast<int>(sizes.max_words);
        view_.stride = static_cast<int>(size.vector_bytes / 4);
        view_.step_warps = shape.step_warps;
        view_.col_order = packed ? nullptr : col_order_.data();
        view_.rows = rows_.data(), view_.cols = cols_.data(), view_.done = done_.data();
        view_.counters = counters_.data();
        for (EdgeId g = 0; g <= grid_.groups; ++g) {
            row_ends_.push_back(plan.row_parts[g * grid_.user_blocks]);
            col_ends_.push_back(plan.col_parts[g * grid_.laps * grid_.item_blocks]);
        }
    }

    /// Returns the bytes of device memory that an object for this plan occupies.
    static EdgeId bytes(const TiledPlan& plan, const TiledSizes& sizes, const OperatorSize& size,
                        bool packed) {
        const EdgeId vector_bytes = size.vector_bytes;
        return 8 * sizes.tile_words.size() + 8 * (plan.row_parts.size() + plan.col_parts.size()) +
               4 * (plan.row_order.size() + plan.col_order.size()) + plan.row_order.size() * vector_bytes +
               4 * sizes.grid.item_blocks + (packed ? plan.col_order.size() * vector_bytes : 0);
    }

    /// Copies the vectors of the rows, and of the columns if they are packed, from the operator's memory into
    /// the order of the blocks or, if `back`, in the other direction.
    void reorder(const Vectors& given, bool back) {
        reorder(pieces(rows_.data()), pieces(given.rows), row_order_, row_count_, vector_pieces(), back);
        if (cols_.size())
            reorder(pieces(cols_.data()), pieces(given.cols), col_order_, col_count_, vector_pieces(), back);
    }
    /// Return the vectors of the row groups [first, last), and the vectors of the columns of the shares
    /// [first, last), which must be packed.
    std::span<float> rows(EdgeId first, EdgeId last) const { return part(rows_, row_ends_, first, last); }
    std::span<float> cols(EdgeId first, EdgeId last) const { return part(cols_, col_ends_, first, last); }

    /// Launches a piece, whose streams are at `words`. If the columns are not packed, their vectors are in
    /// `given`. The pieces of a super-stratum must be launched in the order of their phases.
    template <SharedMemoryOperator Op>
    void run(const Op& op, const TilePiece& piece, const std::uint32_t* words, const Vectors& given) {
        TiledView view = view_of(piece, words);
        if (!cols_.size()) view.cols = reinterpret_cast<float*>(given.cols);
        Shape shape = tuning::tiled;
        shape.blocks = grid_.item_blocks;
        launch(tiled::sweep_kernel<Op>, shape, shape_.bytes, view, op);
        if (piece.first_phase + piece.phases == grid_.user_blocks) view_.phases_before += view_.row_blocks;
    }
    /// Resets the counters and the flags of thread blocks. Must be called before each sweep.
    void reset() { counters_.reset(), done_.zero(), view_.phases_before = 0; }
    EdgeId updates() const { return counters_.once().updates; }

private:
    static float4* pieces(void* vectors) { return static_cast<float4*>(vectors); }
    unsigned vector_pieces() const { return static_cast<unsigned>(view_.stride) / 4; }
    template <class Piece>
    static void reorder(Piece* ordered, Piece* given, const Buffer<VertexId>& order, EdgeId vectors,
                        unsigned pieces, bool back) {
        constexpr unsigned grid = 1024, threads = 512;
        tiled::reorder<<<grid, threads>>>(ordered, given, order.data(), vectors, pieces, back);
        LOCKSTEP_CUDA(cudaGetLastError());
    }
    std::span<float> part(const Buffer<float>& vectors, const std::vector<EdgeId>& ends, EdgeId first,
                          EdgeId last) const {
        const EdgeId stride = static_cast<EdgeId>(view_.stride);
        return {vectors.data() + ends[first] * stride, (ends[last] - ends[first]) * stride};
    }
    TiledView view_of(const TilePiece& piece, const std::uint32_t* words) const {
        TiledView view = view_;
        view.first_phase = static_cast<int>(piece.first_phase), view.phases = static_cast<int>(piece.phases);
        view.words = words, view.first_word = piece.first_word;
        view.tile_words = tile_words_.data() + grid_.super_tile(piece.share, piece.stratum);
        const EdgeId first_block = grid_.user_group(piece.share, piece.stratum) * grid_.user_blocks;
        view.row_parts = row_parts_.data() + first_block;
        view.col_parts = col_parts_.data() + grid_.item_group(piece.share, piece.stratum) * grid_.item_blocks;
        return view;
    }

    TileGrid grid_;
    TiledShape shape_;
    EdgeId row_count_, col_count_;
    Buffer<EdgeId> tile_words_, row_parts_, col_parts_;
    // number of rows before each row group, and number of columns before each share
    std::vector<EdgeId> row_ends_, col_ends_;
    Buffer<VertexId> row_order_, col_order_;
    Buffer<float> rows_, cols_;
    Buffer<unsigned> done_;
    Counters counters_;
    TiledView view_{};
};

}  // namespace lockstep::gpu
