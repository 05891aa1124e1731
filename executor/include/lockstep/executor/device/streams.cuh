// CUDA streams and events, and a timer that uses events.
#pragma once

#include <utility>

#include "lockstep/executor/device/runtime.cuh"

namespace lockstep::gpu {

/// Measures the time from its construction to the call of seconds(), by CUDA events.
class Timer {
public:
    Timer() {
        LOCKSTEP_CUDA(cudaEventCreate(&start_));
        LOCKSTEP_CUDA(cudaEventCreate(&stop_));
        LOCKSTEP_CUDA(cudaEventRecord(start_));
    }
    ~Timer() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    double seconds() {
        float milliseconds = 0;
        LOCKSTEP_CUDA(cudaEventRecord(stop_));
        LOCKSTEP_CUDA(cudaEventSynchronize(stop_));
        LOCKSTEP_CUDA(cudaEventElapsedTime(&milliseconds, start_, stop_));
        return milliseconds * 1e-3;
    }

private:
    cudaEvent_t start_{}, stop_{};
};

/// A CUDA stream of the device that was current at construction. It does not synchronize with the default
/// stream.
class Stream {
public:
    Stream() { LOCKSTEP_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() {
        if (stream_) cudaStreamDestroy(stream_);
    }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream& operator=(Stream&&) = delete;
    cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

/// A CUDA event: a point in the work of a stream, for which other streams can wait.
class Event {
public:
    Event() { LOCKSTEP_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    cudaEvent_t get() const { return event_; }
    void record(cudaStream_t stream) { LOCKSTEP_CUDA(cudaEventRecord(event_, stream)); }
    /// Makes all later work of `stream` wait for the last recorded point, if there is one.
    void hold(cudaStream_t stream) const { LOCKSTEP_CUDA(cudaStreamWaitEvent(stream, event_)); }

private:
    cudaEvent_t event_{};
};

}  // namespace lockstep::gpu
