// A tiled plan on one GPU, on several of this process, or on those of several processes, a GPU each.
//
// One GPU runs the shares of the columns one after another. Of several each has some shares that follow one
// another, cols and streams, and at first the row groups of the same numbers. After its laps a share meets
// the row group one further (tile_grid.hpp): so a device gives the first one that it has to the device
// before, as soon as its first share is done with it, and gets one from the device behind, which its last
// share waits for. After a sweep every row group is back where it was. A device of
// another process is a peer like one of this: all there is of it here are its number and its shares.
//
// The tiles are those of one GPU, in an order that differs only where they share nothing: the same bits.
#pragma once

#include <deque>
#include <optional>

#include "lockstep/executor/device/links.cuh"
#include "lockstep/executor/edge/room.hpp"
#include "lockstep/executor/edge/tiled/streams.cuh"

namespace lockstep::gpu {

template <>
class OnDevice<TiledPlan> {
public:
    /// On devices 0 … gpus - 1; of several processes, all of which call this, on the present one. Throws
    /// ScheduleError (no_device) where the plan does not fit, Error (no_device) where memory does not suffice
    /// or there is no NCCL.
    OnDevice(const EdgeList& edges, const TiledPlan& plan, const OperatorSize& size, const Room& room)
        : vector_bytes_(size.vector_bytes),
          turned_(plan.turned),
          shared_(ranks().count() > 1),
          peers_(static_cast<EdgeId>(shared_ ? ranks().count() : room.gpus)),
          first_peer_(static_cast<EdgeId>(ranks().rank())) {
        const TiledLayout layout(edges, plan, vector_bytes_);
        sizes_ = layout.sizes();
        if (shared_) LOCKSTEP_CUDA(cudaGetDevice(&first_device_));
        if (const auto why = why_not(sizes_, size, device_properties()))
            throw ScheduleError(*why, Failure::no_device);
        const TiledShape shape = *tiled_shape(sizes_, size, device_properties());
        const bool several = peers_ > 1;
        const auto own_bytes = [&](bool first) {
            return (first ? room.other_bytes : 0) + TiledOnOne::bytes(plan, sizes_, size, several);
        };
        require_memory(own_bytes(true), "a smaller rank needs less, --device cpu none");
        limit_ = std::min(free_memory(), room.device_memory ? room.device_memory : ~EdgeId{0});
        if (own_bytes(true) > limit_) {
            throw Error(Failure::no_device, "what stays on the GPU in any case takes " +
                                                std::to_string(own_bytes(true) / 1000000 + 1) +
                                                " MB of its memory, more than --device-memory allows");
        }
        ranks().meet();  // NCCL waits for all
        if (shared_) {
            links_.emplace(ranks());
        } else if (several) {
            links_.emplace(room.gpus);
        }
        const EdgeId devices = shared_ ? 1 : peers_;
        for (EdgeId device = 0; device < devices; ++device) {
            use(device);
            const EdgeId own = own_bytes(device == 0);
            EdgeId most = limit_ - own;
            if (device > 0) {
                require_memory(own, "a smaller rank needs less");
                if (own > limit_) throw Error(Failure::no_device, "--device-memory is too little");
                most = std::min(limit_, free_memory()) - own;
            }
            const EdgeId peer = first_peer_ + device;
            parts_.emplace_back(plan, layout, shape, size, several, first_share(peer), first_share(peer + 1),
                                most, host_);
            bytes_ += own + parts_.back().streams.resident_bytes();
            if (device == 0) first_bytes_ = bytes_;
        }
        use(0);
        ranks().meet();
    }

    void reset() {
        for (std::size_t d = parts_.size(); d-- > 0;) {
            use(d);
            parts_[d].plan.reset();
        }
    }
    /// The first sweep brings the vectors to the order of the blocks, and of several GPUs spreads them.
    template <OnChipOperator Op>
    void sweep(const Op& op) {
        const Vectors given = oriented(vectors_of(op));
        if (!spread_) spread(given);
        gathered_ = false;
        if (!links_) {
            Part& part = parts_.front();
            for (EdgeId i = 0; i < part.streams.pieces(); ++i) part.run(op, given);
            return;
        }
        for (EdgeId s = 0; s < sizes_.grid.strata(); ++s) {
            for (std::size_t d = 0; d < parts_.size(); ++d) {
                use(d);
                parts_[d].run_stratum(op, s, given, links_->stream(d));
            }
            if (!sizes_.grid.stays(s)) pass_on(s);
        }
        synchronize();
    }
    SweepCounts counts() const {
        SweepCounts counts;
        for (const Part& part : parts_) counts.updates += part.plan.updates();
        return counts;
    }

    /// The vectors to where the operator has them: on device 0, or in every process. Sweeps leave them in the
    /// order of the blocks.
    void gather(const Vectors& given) {
        if (gathered_) return;
        if (links_) copy_parts(false);
        parts_.front().plan.reorder(oriented(given), true);
        gathered_ = true;
    }
    /// The vectors that the operator has were changed.
    void changed() { spread_ = false, gathered_ = true; }

    void set_values(const EdgeList& edges, const TiledPlan& plan) {
        const TiledLayout layout(edges, plan, vector_bytes_);
        host_.forget();
        for (std::size_t d = parts_.size(); d-- > 0;) {
            use(d);
            parts_[d].streams.set_values(layout, host_, edges);
        }
    }

    /// Device memory of all devices, with what the application takes; and what is left of the first one's.
    EdgeId bytes() const { return bytes_; }
    EdgeId room_left() const { return limit_ - first_bytes_; }
    /// Copied to all devices in a sweep, and how many such copies can be a second.
    EdgeId streamed_bytes() const {
        EdgeId total = 0;
        for (const Part& part : parts_) total += part.streams.streamed_bytes();
        return total;
    }
    double copy_rate() const { return parts_.front().streams.copy_rate(); }

    template <OnChipOperator Op>
    void gather(const Op& op) {
        gather(vectors_of(op));
    }

private:
    struct Part {
        Part(const TiledPlan& tiled, const TiledLayout& layout, const TiledShape& shape,
             const OperatorSize& size, bool packed, EdgeId first_share, EdgeId last_share, EdgeId most_bytes,
             HostStreams& host)
            : first(first_share),
              last(last_share),
              plan(tiled, layout.sizes(), shape, size, packed),
              streams(layout, first, last, most_bytes, host) {}

        template <class Op>
        void run(const Op& op, const Vectors& given) {
            streams.next([&](const TilePiece& piece, const std::uint32_t* words) {
                plan.run(op, piece, words, given);
            });
        }
        /// `copies` may then give the first row group away.
        template <class Op>
        void run_stratum(const Op& op, EdgeId s, const Vectors& given, cudaStream_t copies) {
            while (streams.upcoming().stratum == s) {
                const EdgeId share = streams.upcoming().share;
                if (share + 1 == last) arrived.hold(nullptr);
                run(op, given);
                if (share == first) first_done.record(nullptr);
            }
            first_done.hold(copies);
        }

        EdgeId first, last;  ///< shares
        TiledOnOne plan;
        TileStreams streams;
        Event first_done, arrived;
    };

    template <class Op>
    static Vectors vectors_of(const Op& op) {
        return {op.row_vectors(), op.col_vectors()};
    }
    /// As the plan has them, of which what stays on chip is the columns.
    Vectors oriented(const Vectors& given) const { return turned_ ? given.turned() : given; }
    /// Makes a device of this process the present one.
    void use(std::size_t device) const {
        LOCKSTEP_CUDA(cudaSetDevice(first_device_ + static_cast<int>(device)));
    }
    EdgeId first_share(EdgeId peer) const { return sizes_.grid.groups * peer / peers_; }

    /// After the last lap of super-stratum `s`: every device's first row group to the device before.
    void pass_on(EdgeId s) {
        links_->together([&] {
            for (std::size_t d = 0; d < parts_.size(); ++d) {
                const EdgeId peer = first_peer_ + d, behind = (peer + 1) % peers_;
                const auto rows_of = [&](EdgeId of) {
                    const EdgeId g = sizes_.grid.user_group(first_share(of), s);
                    return parts_[d].plan.rows(g, g + 1);
                };
                links_->send(d, rows_of(peer), (peer + peers_ - 1) % peers_);
                links_->receive(d, rows_of(behind), behind);
            }
        });
        for (std::size_t d = 0; d < parts_.size(); ++d) {
            use(d);
            parts_[d].arrived.record(links_->stream(d));
        }
    }
    void spread(const Vectors& given) {
        parts_.front().plan.reorder(given, false);
        if (links_) copy_parts(true);
        spread_ = true;
    }
    /// The vectors of every other device's shares from device 0 (`out`), or to it. Of several processes each
    /// has all at first, and gets all back.
    void copy_parts(bool out) {
        synchronize();
        const TiledOnOne& home = parts_.front().plan;
        links_->together([&] {
            for (const auto vectors : {&TiledOnOne::rows, &TiledOnOne::cols}) {
                const auto of = [&](const TiledOnOne& plan, EdgeId peer) {
                    return (plan.*vectors)(first_share(peer), first_share(peer + 1));
                };
                for (EdgeId peer = 0; peer < peers_; ++peer) {
                    if (peer == first_peer_ || of(home, peer).empty()) continue;
                    if (shared_ && !out) {
                        links_->send(0, of(home, first_peer_), peer);
                        links_->receive(0, of(home, peer), peer);
                    } else if (!shared_ && out) {
                        links_->send(0, of(home, peer), peer);
                        links_->receive(peer, of(parts_[peer].plan, peer), 0);
                    } else if (!shared_) {
                        links_->send(peer, of(parts_[peer].plan, peer), 0);
                        links_->receive(0, of(home, peer), peer);
                    }
                }
            }
        });
        synchronize();
    }
    /// Waits for the work of all devices, and leaves device 0 the present one.
    void synchronize() {
        for (std::size_t d = parts_.size(); d-- > 0;) {
            use(d);
            LOCKSTEP_CUDA(cudaStreamSynchronize(nullptr));
            LOCKSTEP_CUDA(cudaStreamSynchronize(links_->stream(d)));
        }
    }

    EdgeId vector_bytes_;
    TiledSizes sizes_;
    bool turned_;
    bool shared_;                // by several processes
    EdgeId peers_, first_peer_;  // all devices; the number of the first one of this process
    int first_device_ = 0;       // of this process
    HostStreams host_;           // where they are streamed
    std::optional<Links> links_;
    std::deque<Part> parts_;  // by device
    EdgeId limit_ = 0, first_bytes_ = 0, bytes_ = 0;
    bool spread_ = false, gathered_ = true;
};

}  // namespace lockstep::gpu
