// Large copies between host and device through two pinned buffers. All host threads fill (or empty) one
// buffer while the other one is being copied. Without pinned buffers, CUDA copies with one host thread, at a
// fraction of the speed.
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

/// Copies to and from the device that was current at construction. There is only one object at a time: if
/// another thread constructs one, it waits until the first one is destroyed.
class Staging {
public:
    static constexpr EdgeId bytes = EdgeId{1} << 24;  ///< size of each of the two buffers in bytes

    Staging() = default;
    ~Staging() { cudaStreamSynchronize(stream_.get()); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Returns the buffer to fill next. send() then copies its first `size` bytes to the device.
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
    /// Copies `size` bytes from the host to the device.
    void copy(void* device, const void* host, EdgeId size) {
        for (EdgeId at = 0; at < size; at += bytes) {
            const EdgeId count = std::min(bytes, size - at);
            copy_bytes(next(), static_cast<const std::byte*>(host) + at, count);
            send(static_cast<std::byte*>(device) + at, count);
        }
    }
    /// Starts a copy of `size` bytes from the device to the next buffer, which overwrites the data of the
    /// fetch before the previous one.
    void fetch(const void* device, EdgeId size) {
        LOCKSTEP_CUDA(
            cudaMemcpyAsync(memory_ + turn_ * bytes, device, size, cudaMemcpyDeviceToHost, stream_.get()));
        sent_[turn_].record(stream_.get());
        turn_ ^= 1;
    }
    /// Waits for the fetch with index `turn`, counted from 0, and returns its buffer.
    const std::byte* wait_for_chunk(EdgeId turn) {
        LOCKSTEP_CUDA(cudaEventSynchronize(sent_[turn % 2].get()));
        return memory_ + turn % 2 * bytes;
    }
    /// Waits until all copies that this object has started are complete.
    void finish() { LOCKSTEP_CUDA(cudaStreamSynchronize(stream_.get())); }

private:
    /// Returns the two pinned buffers. They are allocated once and never freed, because pinning takes longer
    /// than most copies.
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

/// Copies host data to a device buffer of the same size.
template <class T>
void stage(Buffer<T>& buffer, std::type_identity_t<std::span<const T>> host) {
    if (host.size_bytes() <= Staging::bytes) return buffer.upload(host);
    Staging staging;
    staging.copy(buffer.data(), host.data(), host.size_bytes());
    staging.finish();
}
/// Returns a device buffer with a copy of the host data.
template <class T>
Buffer<T> staged(std::span<const T> host) {
    Buffer<T> buffer(host.size());
    stage(buffer, host);
    return buffer;
}

/// Fills a device buffer with records of `size` elements each. Calls fill(first, last, to) for one part after
/// another; it must write the records [first, last) to host memory at `to`.
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
/// Copies records from the device to the host, part by part. Calls take(first, last, from) for each part,
/// with the records [first, last) in host memory at `from`.
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
        take(first, std::min(records, first + at_once),
             reinterpret_cast<const T*>(staging.wait_for_chunk(turn)));
    }
}

}  // namespace lockstep::gpu
