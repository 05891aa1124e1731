// The streams of a tiled plan (layout.hpp) on one device. If they fit, they stay in device memory. Otherwise
// they stay in host memory, and each sweep copies them piece by piece in the order of execution, each piece
// while the previous one is processed.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "lockstep/executor/device/staging.cuh"
#include "lockstep/executor/edge/tiled/on_device.cuh"

namespace lockstep::gpu {

/// Returns the pieces that a device processes in a sweep: the shares [first, last) of the columns in each
/// super-stratum. If the phases of a share have more than `max_words` words of streams in total, they are
/// split into pieces of at most `max_words` words or one phase. The pieces are sorted by super-stratum, then
/// by share.
inline std::vector<TilePiece> tile_pieces(const TiledSizes& sizes, EdgeId first, EdgeId last,
                                          EdgeId max_words) {
    const TileGrid& grid = sizes.grid;
    std::vector<TilePiece> pieces;
    for (EdgeId s = 0; s < grid.strata(); ++s) {
        for (EdgeId a = first; a < last; ++a) {
            const EdgeId* const words = sizes.tile_words.data() + grid.super_tile(a, s);
            const auto before = [&](EdgeId phase) { return words[phase * grid.item_blocks]; };
            for (EdgeId begin = 0, end; begin < grid.user_blocks; begin = end) {
                end = begin + 1;
                while (end < grid.user_blocks && before(end + 1) - before(begin) <= max_words) ++end;
                pieces.push_back({a, s, begin, end - begin, before(begin), before(end) - before(begin)});
            }
        }
    }
    return pieces;
}

/// The parameters of a kernel that writes new edge values into the streams of some tiles, with one thread
/// block per tile. All pointers refer to the first of these tiles.
struct TileValues {
    std::uint32_t* words;
    EdgeId first_word;
    const EdgeId *tile_words, *tile_edges, *tile_stars;
    const std::uint32_t* star_edges;
    const float* values;
};
inline __global__ void set_tile_values(const TileValues v) {
    std::uint32_t* const words = v.words + (v.tile_words[blockIdx.x] - v.first_word);
    const std::uint32_t *const stars = words + (words[0] >> 16), count = words[4 + words[1]];
    std::uint32_t* const pairs = words + words[2];
    for (std::uint32_t s = threadIdx.x; s < count; s += blockDim.x) {
        const std::uint32_t pair = stars[2 * s] & 0xffff, edges = stars[2 * s] >> 16;
        const float* const values =
            v.values + v.tile_edges[blockIdx.x] + v.star_edges[v.tile_stars[blockIdx.x] + s];
        for (std::uint32_t e = 0; e < edges; ++e)
            pairs[4 * (pair + e / 2) + 2 + e % 2] = __float_as_uint(values[e]);
        if (edges % 2) pairs[4 * (pair + edges / 2) + 3] = __float_as_uint(values[edges - 1]);
    }
}

/// The streams of all tiles in pinned host memory, from which devices copy at full speed. The streams are
/// allocated by the first call of `of`, and freed by the destructor.
class HostStreams {
public:
    HostStreams() = default;
    ~HostStreams() {
        if (pinned_) cudaHostUnregister(words_.data());
    }
    HostStreams(const HostStreams&) = delete;
    HostStreams& operator=(const HostStreams&) = delete;
    /// Returns the address of the streams in host memory. The first call allocates and writes them.
    const std::uint32_t* of(const TiledLayout& layout) {
        const TiledSizes& sizes = layout.sizes();
        if (!made_) words_.resize(sizes.words()), layout.write(0, sizes.grid.tiles(), words_.data());
        made_ = true;
        if (!pinned_)
            LOCKSTEP_CUDA(cudaHostRegister(words_.data(), 4 * words_.size(), cudaHostRegisterPortable));
        pinned_ = true;
        return words_.data();
    }
    /// Makes the next call of `of` write the streams again, from a layout of the same sizes. No copy to a
    /// device may be in progress.
    void forget() { made_ = false; }

private:
    Array<std::uint32_t> words_;
    bool made_ = false, pinned_ = false;
};

/// The streams on one device. In every call of a member, this device must be current, and kernels that use
/// the streams must run in its default CUDA stream.
class TileStreams {
public:
    /// Allocates memory for the streams and writes them. If they need more than `max_bytes`, the device has
    /// only two pieces at a time; `host` then has all streams and must outlive this object. Throws Error
    /// (no_device) if two pieces of one phase each need more than `max_bytes`.
    TileStreams(const TiledLayout& layout, EdgeId first_group, EdgeId last_group, EdgeId max_bytes,
                HostStreams& host)
        : pieces_(tile_pieces(layout.sizes(), first_group, last_group, ~EdgeId{0})) {
        for (const TilePiece& piece : pieces_) total_ += piece.words;
        if (4 * total_ > max_bytes) {
            pieces_ =
                tile_pieces(layout.sizes(), first_group, last_group, std::min(max_bytes, max_streamed) / 8);
            half_ = std::ranges::max_element(pieces_, {}, &TilePiece::words)->words;
            if (8 * half_ > max_bytes) {
                throw Error(Failure::no_device,
                            "streaming the schedule needs " + std::to_string(8 * half_ / 1000000 + 1) +
                                " MB of GPU memory, but " + std::to_string(max_bytes / 1000000) +
                                " MB are left; preprocess with more --user-blocks");
            }
            words_ = Buffer<std::uint32_t>(2 * half_);
            copies_.emplace();
        } else {
            words_ = Buffer<std::uint32_t>(total_);
            EdgeId at = 0;
            for (const TilePiece& piece : pieces_) at_.push_back(std::exchange(at, at + piece.words));
        }
        make(layout, host);
    }
    /// Writes the streams of a layout that has the same sizes as before. The next piece is then the first
    /// one.
    void make(const TiledLayout& layout, HostStreams& host, TiledEdges* edges = nullptr) {
        if (copies_) {
            LOCKSTEP_CUDA(cudaDeviceSynchronize());
            host_ = host.of(layout);
            if (copy_rate_ == 0) measure();
            turn_ = 0;
            for (EdgeId n : {0, 1}) fetch(n);
        } else {
            Staging staging;
            for (std::size_t i = 0; i < pieces_.size(); ++i)
                make(layout, pieces_[i], words_.data() + at_[i], staging, edges);
            staging.finish();
        }
    }
    ~TileStreams() {
        if (copies_) cudaStreamSynchronize(copies_->get());
    }
    TileStreams(const TileStreams&) = delete;
    TileStreams& operator=(const TileStreams&) = delete;

    /// Replaces the values of the edges in the streams by those of `edges`. `layout` is unchanged. The first
    /// call writes all streams again. If there is enough memory, it also stores the edge indices of all
    /// values on the device, so that later calls can set the values there.
    void set_values(const TiledLayout& layout, HostStreams& host, const EdgeList& edges) {
        const TiledSizes& sizes = layout.sizes();
        if (!star_edges_.size()) {
            const EdgeId tiles = sizes.grid.tiles(), required_bytes = 4 * edges.edges() + 24 * tiles;
            TiledEdges of = layout.edges();
            if (copies_ || free_memory() < required_bytes + 4 * of.star_edges.size() + Staging::bytes)
                return make(layout, host);
            make(layout, host, &of);
            tile_words_ = Buffer<EdgeId>(sizes.tile_words), tile_edges_ = Buffer<EdgeId>(of.tile_edges);
            tile_stars_ = Buffer<EdgeId>(of.tile_stars);
            star_edges_ = staged<std::uint32_t>(of.star_edges);
            return;
        }
        const Buffer<float> values = staged<float>(edges.value);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const EdgeId first = first_tile(sizes, pieces_[i]);
            set_tile_values<<<static_cast<unsigned>(pieces_[i].phases * sizes.grid.item_blocks), 256>>>(
                {words_.data() + at_[i], pieces_[i].first_word, tile_words_.data() + first,
                 tile_edges_.data() + first, tile_stars_.data() + first, star_edges_.data(), values.data()});
            LOCKSTEP_CUDA(cudaGetLastError());
        }
        LOCKSTEP_CUDA(cudaStreamSynchronize(nullptr));
    }

    EdgeId pieces() const { return pieces_.size(); }
    const TilePiece& upcoming() const { return pieces_[turn_ % pieces_.size()]; }
    /// Calls run(piece, words) for the upcoming piece. Work that run() adds to the default CUDA stream starts
    /// when the streams at `words` are complete.
    template <class Run>
    void next(Run run) {
        const EdgeId i = turn_ % pieces_.size(), half = turn_ % 2;
        if (copies_) {
            here_[half].hold(nullptr);
            run(pieces_[i], words_.data() + half * half_);
            used_[half].record(nullptr);
            used_[half].hold(copies_->get());
            fetch(turn_ + 2);
        } else {
            run(pieces_[i], words_.data() + at_[i]);
        }
        ++turn_;
    }

    /// Return the bytes of the streams on the device, the bytes copied to it per sweep, and the measured rate
    /// of such copies in bytes per second.
    EdgeId resident_bytes() const { return 4 * words_.size(); }
    EdgeId streamed_bytes() const { return copies_ ? 4 * total_ : 0; }
    double copy_rate() const { return copy_rate_; }

private:
    /// maximum number of bytes of streams on the device if they are copied in each sweep; more is not faster
    static constexpr EdgeId max_streamed = EdgeId{1} << 28;

    static EdgeId first_tile(const TiledSizes& sizes, const TilePiece& piece) {
        return sizes.grid.super_tile(piece.share, piece.stratum) + piece.first_phase * sizes.grid.item_blocks;
    }
    /// Writes the streams of a piece to `to` on the device: as many tiles at a time as a staging buffer
    /// holds, while the previous ones are being copied.
    static void make(const TiledLayout& layout, const TilePiece& piece, std::uint32_t* to, Staging& staging,
                     TiledEdges* edges) {
        const TiledSizes& sizes = layout.sizes();
        const auto before = [&](EdgeId tile) { return sizes.tile_words[tile] - piece.first_word; };
        const EdgeId first = first_tile(sizes, piece), last = first + piece.phases * sizes.grid.item_blocks;
        for (EdgeId begin = first, end; begin < last; begin = end) {
            end = begin + 1;
            while (end < last && 4 * (before(end + 1) - before(begin)) <= Staging::bytes) ++end;
            layout.write(begin, end, reinterpret_cast<std::uint32_t*>(staging.next()), edges);
            staging.send(to + before(begin), 4 * (before(end) - before(begin)));
        }
    }
    void copy(std::uint32_t* to, const TilePiece& piece, cudaStream_t stream) {
        LOCKSTEP_CUDA(
            cudaMemcpyAsync(to, host_ + piece.first_word, 4 * piece.words, cudaMemcpyHostToDevice, stream));
    }
    /// Starts the copy of the n-th piece since the beginning of all sweeps, into one half of the buffer.
    void fetch(EdgeId n) {
        copy(words_.data() + n % 2 * half_, pieces_[n % pieces_.size()], copies_->get());
        here_[n % 2].record(copies_->get());
    }
    void measure() {
        const TilePiece& largest = *std::ranges::max_element(pieces_, {}, &TilePiece::words);
        copy(words_.data(), largest, nullptr);  // warm-up copy, which is not timed
        Timer timer;
        for (const EdgeId half : {0, 1, 0, 1}) copy(words_.data() + half * half_, largest, nullptr);
        copy_rate_ = 16 * static_cast<double>(largest.words) / timer.seconds();
    }

    // the edges of all tiles in host memory, if each sweep copies them to the device
    const std::uint32_t* host_ = nullptr;
    std::vector<TilePiece> pieces_;
    std::vector<EdgeId> at_;  // if all streams are on the device: number of words before each piece
    Buffer<std::uint32_t> words_;
    // allocated when the values have been replaced once
    Buffer<EdgeId> tile_words_, tile_edges_, tile_stars_;
    Buffer<std::uint32_t> star_edges_;
    EdgeId total_ = 0, half_ = 0, turn_ = 0;
    double copy_rate_ = 0;
    std::optional<Stream> copies_;  // if the streams are copied in each sweep: CUDA stream of the copies
    std::array<Event, 2> here_, used_;
};

}  // namespace lockstep::gpu
