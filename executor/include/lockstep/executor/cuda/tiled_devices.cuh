// A tiled plan on one GPU, or on several of one host.
//
// One GPU runs the item groups of a super-stratum one after another. Of several each has some groups that
// follow one another, items and streams, and at first the user groups of the same numbers. In the next
// super-stratum its groups meet the user groups one further (tile_grid.hpp): so it gives the first one that
// it has to the device before, as soon as its first group is done with it, and gets one from the device
// behind, which its last group waits for. After a sweep every user group is back where it was.
//
// The tiles are those of one GPU, in an order that differs only where they share nothing: the same bits.
#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include "lockstep/executor/cuda/links.cuh"
#include "lockstep/executor/cuda/tile_streams.cuh"

namespace lockstep::gpu {

class TiledDevices {
public:
    /// On devices 0 … count - 1; device 0 may take `most_bytes` for streams, the others as much as `limit`
    /// leaves of all they have. Throws Error (no_device) where memory does not suffice or there is no NCCL.
    TiledDevices(const Plan& plan, TiledLayout layout, EdgeId vector_bytes, int count, EdgeId most_bytes,
                 EdgeId limit)
        : layout_(std::move(layout)) {
        if (count > 1) links_.emplace(count);
        for (EdgeId device = 0; device < static_cast<EdgeId>(count); ++device) {
            LOCKSTEP_CUDA(cudaSetDevice(static_cast<int>(device)));
            const EdgeId devices = static_cast<EdgeId>(count), groups = layout_.grid.groups;
            const EdgeId first = groups * device / devices, last = groups * (device + 1) / devices;
            if (device > 0) {
                const EdgeId own = TiledPlan::bytes(plan, layout_, vector_bytes, true);
                require_memory(own, "a smaller rank needs less");
                if (own > limit) throw Error(Failure::no_device, "--device-memory is too little");
                most_bytes = std::min(limit, free_memory()) - own;
                own_bytes_ = own;
            }
            parts_.emplace_back(plan, layout_, vector_bytes, count > 1, first, last, most_bytes, pinned_);
        }
        if (streamed_bytes() == 0) layout_.words = {};
        LOCKSTEP_CUDA(cudaSetDevice(0));
    }

    /// One sweep; its seconds. The first one of several GPUs spreads the vectors over them.
    template <class Op>
    double sweep(const Op& op) {
        if (!links_) {
            Part& part = parts_.front();
            Timer timer;
            part.plan.reorder(op, false);
            for (EdgeId i = 0; i < part.streams.pieces(); ++i) part.run(op);
            part.plan.reorder(op, true);
            return timer.seconds();
        }
        const auto start = std::chrono::steady_clock::now();
        if (!spread_) spread(op);
        gathered_ = false;
        for (EdgeId s = 0; s < layout_.grid.groups; ++s) {
            for (std::size_t d = 0; d < parts_.size(); ++d) {
                LOCKSTEP_CUDA(cudaSetDevice(static_cast<int>(d)));
                parts_[d].run_stratum(op, s, links_->stream(d));
            }
            pass_on(s);
        }
        synchronize();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    /// The vectors to where `op` has them, on device 0.
    template <class Op>
    void gather(const Op& op) {
        if (gathered_) return;
        copy_parts(false);
        parts_.front().plan.reorder(op, true);
        gathered_ = true;
    }
    /// The vectors that `op` has were changed.
    void changed() { spread_ = false, gathered_ = true; }

    /// Of streams on a device; of all there, but for device 0; copied to all devices in a sweep.
    EdgeId resident_bytes(int device) const {
        return parts_[static_cast<std::size_t>(device)].streams.resident_bytes();
    }
    EdgeId bytes(int device) const { return own_bytes_ + resident_bytes(device); }
    EdgeId streamed_bytes() const {
        EdgeId total = 0;
        for (const Part& part : parts_) total += part.streams.streamed_bytes();
        return total;
    }
    double copy_rate() const { return parts_.front().streams.copy_rate(); }

private:
    struct Part {
        Part(const Plan& tiled, const TiledLayout& layout, EdgeId vector_bytes, bool packed,
             EdgeId first_group, EdgeId last_group, EdgeId most_bytes, Pinned& pinned)
            : first(first_group),
              last(last_group),
              plan(tiled, layout, vector_bytes, packed),
              streams(layout, first, last, most_bytes, pinned) {}

        template <class Op>
        void run(const Op& op) {
            streams.next(
                [&](const TilePiece& piece, const std::uint32_t* words) { plan.run(op, piece, words); });
        }
        /// `copies` may then give the first user group away.
        template <class Op>
        void run_stratum(const Op& op, EdgeId s, cudaStream_t copies) {
            while (streams.upcoming().stratum == s) {
                const EdgeId group = streams.upcoming().group;
                if (group + 1 == last) arrived.hold(nullptr);
                run(op);
                if (group == first) first_done.record(nullptr);
            }
            first_done.hold(copies);
        }

        EdgeId first, last;  ///< groups
        TiledPlan plan;
        TileStreams streams;
        Event first_done, arrived;
    };

    /// After super-stratum `s`: every device's first user group to the device before.
    void pass_on(EdgeId s) {
        const std::size_t count = parts_.size();
        links_->together([&] {
            for (std::size_t d = 0; d < count; ++d) {
                const std::size_t before = (d + count - 1) % count;
                const EdgeId g = layout_.grid.user_group(parts_[d].first, s);
                links_->copy(d, parts_[d].plan.users(g, g + 1), before, parts_[before].plan.users(g, g + 1));
            }
        });
        for (std::size_t d = 0; d < count; ++d) {
            LOCKSTEP_CUDA(cudaSetDevice(static_cast<int>(d)));
            parts_[d].arrived.record(links_->stream(d));
        }
    }
    template <class Op>
    void spread(const Op& op) {
        parts_.front().plan.reorder(op, false);
        copy_parts(true);
        spread_ = true;
    }
    /// The vectors of every other device's groups from device 0 (`out`), or to it.
    void copy_parts(bool out) {
        synchronize();
        const TiledPlan& home = parts_.front().plan;
        links_->together([&] {
            for (std::size_t d = 1; d < parts_.size(); ++d) {
                const Part& part = parts_[d];
                for (const auto vectors : {&TiledPlan::users, &TiledPlan::items}) {
                    const auto here = (home.*vectors)(part.first, part.last),
                               there = (part.plan.*vectors)(part.first, part.last);
                    if (here.empty()) continue;
                    if (out) {
                        links_->copy(0, here, d, there);
                    } else {
                        links_->copy(d, there, 0, here);
                    }
                }
            }
        });
        synchronize();
    }
    /// Waits for the work of all devices, and leaves device 0 the present one.
    void synchronize() {
        for (std::size_t d = parts_.size(); d-- > 0;) {
            LOCKSTEP_CUDA(cudaSetDevice(static_cast<int>(d)));
            LOCKSTEP_CUDA(cudaStreamSynchronize(nullptr));
            LOCKSTEP_CUDA(cudaStreamSynchronize(links_->stream(d)));
        }
    }

    TiledLayout layout_;
    Pinned pinned_;  // layout_.words, where they are streamed
    std::optional<Links> links_;
    std::deque<Part> parts_;  // by device
    EdgeId own_bytes_ = 0;    // of a device behind the first, without streams
    bool spread_ = false, gathered_ = true;
};

}  // namespace lockstep::gpu
