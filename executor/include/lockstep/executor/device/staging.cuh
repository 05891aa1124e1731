// The way of much memory to a device: through two pinned buffers, one of which all threads fill while the
// other is copied. From other memory CUDA copies on one thread, at a fraction of the speed.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/schedules/copy.hpp"

namespace lockstep::gpu {

/// To the device that is present when it is made. One at a time.
class Staging {
public:
    static constexpr EdgeId bytes = EdgeId{1} << 24;  ///< of a buffer

    Staging() : memory_(pinned()) {}
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

    std::byte* memory_;
    Stream stream_;
    std::array<Event, 2> sent_;
    EdgeId turn_ = 0;
};

/// Device memory with what the host has.
template <class T>
Buffer<T> staged(std::span<const T> host) {
    if (host.size_bytes() <= Staging::bytes) return Buffer<T>(host);
    Buffer<T> buffer(host.size());
    Staging staging;
    staging.copy(buffer.data(), host.data(), host.size_bytes());
    staging.finish();
    return buffer;
}

}  // namespace lockstep::gpu
