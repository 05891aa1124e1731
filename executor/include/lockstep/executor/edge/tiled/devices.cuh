// Runs a tiled plan on one GPU, on several GPUs of this process, or on several processes with one GPU each.
//
// The columns are divided into shares, and the rows into as many row groups (tile_grid.hpp). One GPU runs the
// shares one after another. With several GPUs, each has some consecutive shares (their columns and their
// streams, streams.cuh) and, at first, the row groups with the same indices. When the shares of a device are
// done with their current row groups, each share needs the next row group. Therefore a device sends its first
// row group to the previous device, as soon as its first share is done with it, and receives a row group from
// the next device, for which its last share waits. At the end of a sweep, every row group is back on its
// first device.
//
// A peer is a device of this or of another process. For a peer of another process only its index and its
// shares are stored here.
//
// The tiles are the same as on one GPU. Only tiles that share no vertex may run in another order, so the
// results are bitwise identical.
#pragma once

#include <deque>
#include <optional>

#include "lockstep/executor/device/links.cuh"
#include "lockstep/executor/edge/device_memory_limits.hpp"
#include "lockstep/executor/edge/tiled/streams.cuh"

namespace lockstep::gpu {

template <>
class DeviceWalk<TiledPlan> {
public:
    /// Uploads the plan to the devices 0 … gpus - 1. If there are several processes, all of them must call
    /// this function, and each uses its current device. Throws ScheduleError (no_device) if a tile does not
    /// fit in shared memory, and Error (no_device) if there is too little device memory or NCCL is missing.
    DeviceWalk(const EdgeList& edges, const TiledPlan& plan, const OperatorSize& size,
               const DeviceMemoryLimits& limits)
        : vector_bytes_(size.vector_bytes),
          turned_(plan.turned),
          shared_(ranks().count() > 1),
          peers_(static_cast<EdgeId>(shared_ ? ranks().count() : limits.gpus)),
          first_peer_(static_cast<EdgeId>(ranks().rank())) {
        const TiledLayout layout(edges, plan, vector_bytes_);
        sizes_ = layout.sizes();
        if (shared_) LOCKSTEP_CUDA(cudaGetDevice(&first_device_));
        if (const auto why = why_not(sizes_, size, device_properties()))
            throw ScheduleError(*why, Failure::no_device);
        const TiledShape shape = *tiled_shape(sizes_, size, device_properties());
        const bool several = peers_ > 1;
        const auto own_bytes = [&](bool first) {
            return (first ? limits.other_bytes : 0) + TiledOnOne::bytes(plan, sizes_, size, several);
        };
        require_memory(own_bytes(true), "use a smaller --rank, or --device cpu");
        limit_ = std::min(free_memory(), limits.device_memory ? limits.device_memory : ~EdgeId{0});
        if (own_bytes(true) > limit_) {
            throw Error(Failure::no_device, "the data that must stay on the GPU need " +
                                                std::to_string(own_bytes(true) / 1000000 + 1) +
                                                " MB of its memory, more than --device-memory allows");
        }
        ranks().barrier();  // the initialization of NCCL waits for all processes
        if (shared_) {
            links_.emplace(ranks());
        } else if (several) {
            links_.emplace(limits.gpus);
        }
        const EdgeId devices = shared_ ? 1 : peers_;
        for (EdgeId device = 0; device < devices; ++device) {
            use(device);
            const EdgeId own = own_bytes(device == 0);
            EdgeId most = limit_ - own;
            if (device > 0) {
                require_memory(own, "use a smaller --rank");
                if (own > limit_) throw Error(Failure::no_device, "--device-memory is too small");
                most = std::min(limit_, free_memory()) - own;
            }
            const EdgeId peer = first_peer_ + device;
            parts_.emplace_back(plan, layout, shape, size, several, first_share(peer), first_share(peer + 1),
                                most, host_);
            bytes_ += own + parts_.back().streams.resident_bytes();
            if (device == 0) first_bytes_ = bytes_;
        }
        use(0);
        ranks().barrier();
    }

    void reset() {
        for (std::size_t d = parts_.size(); d-- > 0;) {
            use(d);
            parts_[d].plan.reset();
        }
    }
    /// Launches one sweep. The first sweep also copies the vectors into the order of the blocks and, if there
    /// are several GPUs, distributes them to the GPUs.
    template <SharedMemoryOperator Op>
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
            if (!sizes_.grid.stays(s)) send_groups(s);
        }
        synchronize();
    }
    SweepCounts counts() const {
        SweepCounts counts;
        for (const Part& part : parts_) counts.updates += part.plan.updates();
        return counts;
    }

    /// Copies the vectors from the order of the blocks, in which sweeps leave them, to the operator's arrays
    /// `given`: those of device 0 or, if there are several processes, those of every process.
    void gather(const Vectors& given) {
        if (gathered_) return;
        if (links_) copy_parts(false);
        parts_.front().plan.reorder(oriented(given), true);
        gathered_ = true;
    }
    /// Must be called when the operator's vectors have changed. The next sweep then distributes them again.
    void changed() { spread_ = false, gathered_ = true; }

    void set_values(const EdgeList& edges, const TiledPlan& plan) {
        const TiledLayout layout(edges, plan, vector_bytes_);
        host_.forget();
        for (std::size_t d = parts_.size(); d-- > 0;) {
            use(d);
            parts_[d].streams.set_values(layout, host_, edges);
        }
    }

    /// Return the number of bytes in use on all devices, including those of the application, and the number
    /// of bytes that are free on the first device.
    EdgeId bytes() const { return bytes_; }
    EdgeId room_left() const { return limit_ - first_bytes_; }
    /// Return the number of bytes that are copied from the host to all devices per sweep, and the measured
    /// rate of these copies in bytes per second.
    EdgeId streamed_bytes() const {
        EdgeId total = 0;
        for (const Part& part : parts_) total += part.streams.streamed_bytes();
        return total;
    }
    double copy_rate() const { return parts_.front().streams.copy_rate(); }

    template <SharedMemoryOperator Op>
    void gather(const Op& op) {
        gather(vectors_of(op));
    }

private:
    struct Part {
        Part(const TiledPlan& tiled, const TiledLayout& layout, const TiledShape& shape,
             const OperatorSize& size, bool packed, EdgeId first_share, EdgeId last_share, EdgeId max_bytes,
             HostStreams& host)
            : first(first_share),
              last(last_share),
              plan(tiled, layout.sizes(), shape, size, packed),
              streams(layout, first, last, max_bytes, host) {}

        template <class Op>
        void run(const Op& op, const Vectors& given) {
            streams.next([&](const TilePiece& piece, const std::uint32_t* words) {
                plan.run(op, piece, words, given);
            });
        }
        /// Runs the shares of this device in super-stratum `s` (tile_grid.hpp). The CUDA stream `copies` then
        /// waits until the first share is done, before it sends the first row group.
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

        EdgeId first, last;  ///< range of the shares of this device
        TiledOnOne plan;
        TileStreams streams;
        Event first_done, arrived;
    };

    template <class Op>
    static Vectors vectors_of(const Op& op) {
        return {op.row_vectors(), op.col_vectors()};
    }
    /// Returns the vectors in the plan's orientation, in which the columns stay in shared memory.
    Vectors oriented(const Vectors& given) const { return turned_ ? given.swap_sides() : given; }
    /// Selects a device of this process as the current CUDA device.
    void use(std::size_t device) const {
        LOCKSTEP_CUDA(cudaSetDevice(first_device_ + static_cast<int>(device)));
    }
    EdgeId first_share(EdgeId peer) const { return sizes_.grid.groups * peer / peers_; }

    /// After the last lap of super-stratum `s` (tile_grid.hpp), sends the first row group of every device to
    /// the previous device.
    void send_groups(EdgeId s) {
        links_->run_group([&] {
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
    /// Copies the vectors of all shares from device 0 to the other devices (if `out`), or from the other
    /// devices to device 0. Several processes have all vectors at first, so nothing is sent then; at the end
    /// every process receives all vectors.
    void copy_parts(bool out) {
        synchronize();
        const TiledOnOne& home = parts_.front().plan;
        links_->run_group([&] {
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
    /// Waits until all devices have finished their work, and makes device 0 the current device.
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
    bool shared_;  // whether several processes run the plan
    // number of devices of all processes; index of the first device of this process
    EdgeId peers_, first_peer_;
    int first_device_ = 0;  // CUDA ordinal of the first device of this process
    HostStreams host_;      // streams of all tiles, if they are copied to the devices in each sweep
    std::optional<Links> links_;
    std::deque<Part> parts_;  // one element per device of this process
    EdgeId limit_ = 0, first_bytes_ = 0, bytes_ = 0;
    bool spread_ = false, gathered_ = true;
};

}  // namespace lockstep::gpu
