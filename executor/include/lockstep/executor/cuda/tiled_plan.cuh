// A tiled plan in the memory of one device: what its kernel (tiled.cuh) sees, and how it is launched.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "lockstep/executor/cuda/tiled.cuh"
#include "lockstep/executor/tiled_layout.hpp"

namespace lockstep::gpu {

namespace tiled {

/// The rows' vectors into the order of the user blocks, and back.
template <class Op>
__global__ void reorder_users(const TiledView v, const Op op, EdgeId rows, bool back) {
    const EdgeId workers = EdgeId{gridDim.x} * blockDim.x / Op::Lanes::lanes;
    for (EdgeId i = (EdgeId{blockIdx.x} * blockDim.x + threadIdx.x) / Op::Lanes::lanes; i < rows;
         i += workers) {
        auto* const there = vector_at<Op>(v.users + i * v.stride);
        if (back) {
            op.store_row(v.row_order[i], op.load(there, 0));
        } else {
            op.store(there, 0, op.load_row(v.row_order[i]));
        }
    }
}

}  // namespace tiled

/// Some phases of an item group in a super-stratum, and their streams.
struct TilePiece {
    EdgeId group, stratum;
    EdgeId first_phase, phases;
    EdgeId first_word, words;
};

/// A tiled plan in the memory of one device, but for its streams (tile_streams.cuh).
class TiledPlan {
public:
    /// `packed`: the columns' vectors are kept here as well, in the order of the item blocks.
    TiledPlan(const Plan& plan, const TiledLayout& layout, EdgeId vector_bytes, bool packed)
        : grid_(layout.grid),
          rows_(plan.rows),
          cols_(plan.cols),
          tile_words_(layout.tile_words),
          row_parts_(plan.row_parts),
          col_parts_(plan.col_parts),
          row_order_(plan.row_order),
          col_order_(plan.col_order),
          users_(EdgeId{plan.rows} * vector_bytes / 4),
          items_(packed ? EdgeId{plan.cols} * vector_bytes / 4 : 0),
          done_(grid_.item_blocks),
          longest_chain_(layout.longest_chain) {
        view_.item_blocks = static_cast<int>(grid_.item_blocks);
        view_.user_blocks = static_cast<int>(grid_.user_blocks);
        view_.most_items = static_cast<int>(layout.most_items);
        view_.most_users = static_cast<int>(layout.most_users);
        view_.most_words = static_cast<int>(layout.most_words);
        view_.stride = static_cast<int>(vector_bytes / 4);
        view_.row_order = row_order_.data(), view_.col_order = col_order_.data();
        view_.users = users_.data(), view_.done = done_.data();
        for (EdgeId g = 0; g <= grid_.groups; ++g) {
            user_ends_.push_back(plan.row_parts[g * grid_.user_blocks]);
            item_ends_.push_back(plan.col_parts[g * grid_.item_blocks]);
        }
        if (!packed) return;
        std::vector<VertexId> places(plan.cols);
        std::iota(places.begin(), places.end(), VertexId{0});
        places_ = Buffer<VertexId>(places);
        view_.col_order = places_.data();
    }

    /// Device memory of one, in bytes.
    static EdgeId bytes(const Plan& plan, const TiledLayout& layout, EdgeId vector_bytes, bool packed) {
        return 8 * layout.tile_words.size() + 8 * (plan.row_parts.size() + plan.col_parts.size()) +
               4 * (EdgeId{plan.rows} + plan.cols) + EdgeId{plan.rows} * vector_bytes +
               4 * layout.grid.item_blocks + (packed ? EdgeId{plan.cols} * (vector_bytes + 4) : 0);
    }

    /// The vectors from where Op has them to the order of the blocks, and back: the rows', and where they are
    /// packed the columns'.
    template <class Op>
    void reorder(const Op& op, bool back) {
        constexpr unsigned grid = 1024, threads = 512;
        tiled::reorder_users<<<grid, threads>>>(view_, op, rows_, back);
        if (items_.size()) {
            TiledView items = view_;
            items.users = items_.data(), items.row_order = col_order_.data();
            Op columns = op;
            columns.row_factors = op.col_factors;
            tiled::reorder_users<<<grid, threads>>>(items, columns, cols_, back);
        }
        LOCKSTEP_CUDA(cudaGetLastError());
    }
    /// The vectors of user groups [first, last), and of item groups where they are packed.
    std::span<float> users(EdgeId first, EdgeId last) const { return part(users_, user_ends_, first, last); }
    std::span<float> items(EdgeId first, EdgeId last) const { return part(items_, item_ends_, first, last); }

    /// Runs a piece, whose streams are at `words`. Op's lanes are those of a warp (star.hpp). The pieces of a
    /// super-stratum come in the order of their phases.
    template <class Op>
    void run(const Op& op, const TilePiece& piece, const std::uint32_t* words) {
        require_bulk_copies("tiled");
        int device = 0, sms = 0, limit = 0, resident = 0;
        LOCKSTEP_CUDA(cudaGetDevice(&device));
        LOCKSTEP_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
        LOCKSTEP_CUDA(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        TiledView view = view_of(piece, words);
        // Segments of long stars take what room there is: with less the steps have more warps.
        using Crew = tiled::Crew<Op>;
        view.step_warps = longest_chain_ ? Crew::step_warps_beside_chain : Crew::moving_warp;
        EdgeId bytes = tiled::Memory<Op>(view).bytes();
        while (bytes > static_cast<EdgeId>(limit) && Crew(view).chain_warps > Crew::fewest_chain_warps) {
            ++view.step_warps;
            bytes = tiled::Memory<Op>(view).bytes();
        }
        if (bytes > static_cast<EdgeId>(limit)) {
            throw ScheduleError(
                "a tile of the schedule does not fit on chip at this rank; preprocess for it with --rank, or "
                "with more --groups or --user-blocks",
                Failure::no_device);
        }
        const auto kernel = tiled::sweep_kernel<Op>;
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(bytes)));
        LOCKSTEP_CUDA(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, tiled::threads, bytes));
        if (resident * sms < view.item_blocks) {
            throw ScheduleError("the schedule has " + std::to_string(view.item_blocks) +
                                    " item blocks in a group, but this device runs " +
                                    std::to_string(resident * sms) +
                                    " at once; preprocess with --item-blocks",
                                Failure::no_device);
        }
        if (piece.first_phase == 0) done_.zero();
        Op own = op;
        if (items_.size()) own.col_factors = tiled::vector_at<Op>(items_.data());
        void* arguments[] = {&view, &own};
        LOCKSTEP_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                                  dim3(static_cast<unsigned>(view.item_blocks)),
                                                  dim3(tiled::threads), arguments, bytes, nullptr));
    }

private:
    std::span<float> part(const Buffer<float>& vectors, const std::vector<EdgeId>& ends, EdgeId first,
                          EdgeId last) const {
        const EdgeId stride = static_cast<EdgeId>(view_.stride);
        return {vectors.data() + ends[first] * stride, (ends[last] - ends[first]) * stride};
    }
    TiledView view_of(const TilePiece& piece, const std::uint32_t* words) const {
        TiledView view = view_;
        view.first_phase = static_cast<int>(piece.first_phase), view.phases = static_cast<int>(piece.phases);
        view.words = words, view.first_word = piece.first_word;
        view.tile_words = tile_words_.data() + grid_.super_tile(piece.group, piece.stratum);
        view.row_parts = row_parts_.data() + grid_.user_group(piece.group, piece.stratum) * grid_.user_blocks;
        view.col_parts = col_parts_.data() + piece.group * grid_.item_blocks;
        return view;
    }

    TileGrid grid_;
    EdgeId rows_, cols_;
    Buffer<EdgeId> tile_words_, row_parts_, col_parts_;
    std::vector<EdgeId> user_ends_, item_ends_;  // group -> vectors before it
    Buffer<VertexId> row_order_, col_order_, places_;
    Buffer<float> users_, items_;
    Buffer<unsigned> done_;
    EdgeId longest_chain_;
    TiledView view_{};
};

}  // namespace lockstep::gpu
