// The way of much memory to a device, and back: through two pinned buffers, one of which all threads fill or
// empty while the other is copied. From and to other memory CUDA copies on one thread, at a fraction of the speed.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <type_traits>

#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/schedules/copy.hpp"

namespace lockstep::gpu {

/// Copies to and from the device that is present when it is made. A thread that makes another one waits for the first
/// to end.
class Staging {
public:
    static constexpr EdgeId bytes = EdgeId{1} << 24;  ///< of a buffer

    Staging() = default;
    ~Staging() { cudaStreamSynchronize(stream_.get()); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Fill the returned buffer; `send` its first `size` bytes then.
    std::byte* next() {
        LOCKSTEP_CUDA(cudaEventSynchronize(sent_[turn_].get()));
        return memory_ + turn_ * bytes;
    }
    void send(void* device, EdgeId size) {
        LOCKSTEP_CUDA(
            cudaMemcpyAsync(device, memory_ + turn_ * bytes, size, cudaMemcpyHostToDevice, stream_.get()));
        sent_[turn_].record(stream_.get());
        turn_ ^= 1;
    }
    void copy(void* device, const void* host, EdgeId size) {
        for (EdgeId at = 0; at < size; at += bytes) {
            const EdgeId count = std::min(bytes, size - at);
            copy_bytes(next(), static_cast<const std::byte*>(host) + at, count);
            send(static_cast<std::byte*>(device) + at, count);
        }
    }
    /// The way back: `fetch` some bytes of the device, and read the returned buffer when the next are on their
    /// way; what was read before is gone then.
    void fetch(const void* device, EdgeId size) {
        LOCKSTEP_CUDA(
            cudaMemcpyAsync(memory_ + turn_ * bytes, device, size, cudaMemcpyDeviceToHost, stream_.get()));
        sent_[turn_].record(stream_.get());
        turn_ ^= 1;
    }
    const std::byte* fetched(EdgeId turn) {
        LOCKSTEP_CUDA(cudaEventSynchronize(sent_[turn % 2].get()));
        return memory_ + turn % 2 * bytes;
    }
    /// Waits for the copies.
    void finish() { LOCKSTEP_CUDA(cudaStreamSynchronize(stream_.get())); }

private:
    /// Kept for the next one: pinning takes longer than many a copy.
    static std::byte* pinned() {
        static std::byte* const memory = [] {
            void* place = nullptr;
            LOCKSTEP_CUDA(cudaHostAlloc(&place, 2 * bytes, cudaHostAllocPortable));
            return static_cast<std::byte*>(place);
        }();
        return memory;
    }

    static std::mutex& mutex() {
        static std::mutex of_memory;
        return of_memory;
    }

    std::unique_lock<std::mutex> has_memory_{mutex()};
    std::byte* memory_ = pinned();
    Stream stream_;
    std::array<Event, 2> sent_;
    EdgeId turn_ = 0;
};

/// What the host has to device memory of that size.
template <class T>
void stage(Buffer<T>& buffer, std::type_identity_t<std::span<const T>> host) {
    if (host.size_bytes() <= Staging::bytes) return buffer.upload(host);
    Staging staging;
    staging.copy(buffer.data(), host.data(), host.size_bytes());
    staging.finish();
}
template <class T>
Buffer<T> staged(std::span<const T> host) {
    Buffer<T> buffer(host.size());
    stage(buffer, host);
    return buffer;
}

/// The same of records of `size` T each: fill(first, last, to) makes those of [first, last) on the host.
template <class T, class Fill>
void stage_records(Buffer<T>& buffer, EdgeId size, Fill fill) {
    const EdgeId records = buffer.size() / size, at_once = Staging::bytes / (size * sizeof(T));
    if (records <= at_once) {
        Array<T> host(buffer.size());
        fill(EdgeId{0}, records, host.data());
        return buffer.upload(host);
    }
    Staging staging;
    for (EdgeId first = 0; first < records; first += at_once) {
        const EdgeId last = std::min(records, first + at_once);
        fill(first, last, reinterpret_cast<T*>(staging.next()));
        staging.send(buffer.data() + first * size, (last - first) * size * sizeof(T));
    }
    staging.finish();
}
/// And back: take(first, last, from).
template <class T, class Take>
void fetch_records(const Buffer<T>& buffer, EdgeId size, Take take) {
    const EdgeId records = buffer.size() / size, at_once = Staging::bytes / (size * sizeof(T));
    if (records <= at_once) return take(EdgeId{0}, records, buffer.download_array().data());
    Staging staging;
    const auto fetch = [&](EdgeId first) {
        if (first < records)
            staging.fetch(buffer.data() + first * size,
                          std::min(at_once, records - first) * size * sizeof(T));
    };
    fetch(0);
    for (EdgeId first = 0, turn = 0; first < records; first += at_once, ++turn) {
        fetch(first + at_once);
        take(first, std::min(records, first + at_once), reinterpret_cast<const T*>(staging.fetched(turn)));
    }
}

}  // namespace lockstep::gpu
