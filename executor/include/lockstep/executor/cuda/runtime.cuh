// CUDA runtime in one place: checked calls, owned device memory, cooperative launches, timing.
#pragma once

#include <cuda_runtime.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

/// A CUDA call that failed. Out of memory and a missing device are exit code 5; after an illegal
/// access the process is of no further use.
class CudaError : public Error {
public:
    CudaError(cudaError_t code, const char* call)
        : Error(code == cudaErrorMemoryAllocation || code == cudaErrorNoDevice ||
                        code == cudaErrorInsufficientDriver
                    ? Failure::no_device
                    : Failure::failed,
                std::string("CUDA: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ") in " +
                    call),
          code_(code) {}
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

inline void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());  // a recoverable error must not be reported twice
    throw CudaError(code, call);
}
#define LOCKSTEP_CUDA(call) ::lockstep::gpu::check((call), #call)

/// Bytes of the present device.
inline EdgeId free_memory() {
    std::size_t free = 0, total = 0;
    LOCKSTEP_CUDA(cudaMemGetInfo(&free, &total));
    return free;
}

/// Throws Error (no_device) with both numbers when fewer than `needed` bytes of device memory are free.
inline void require_memory(EdgeId needed, const char* advice) {
    std::size_t free = 0, total = 0;
    LOCKSTEP_CUDA(cudaMemGetInfo(&free, &total));
    if (needed <= free) return;
    throw Error(Failure::no_device, "the run needs " + std::to_string(needed / 1000000 + 1) +
                                        " MB of GPU memory, but " + std::to_string(free / 1000000) +
                                        " MB of " + std::to_string(total / 1000000) + " MB are free; " +
                                        advice);
}

/// Throws Error (no_device) where the present device lacks what bulk.cuh needs.
inline void require_bulk_copies(const char* strategy) {
    int device = 0, major = 0, minor = 0;
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    if (major >= 9) return;
    throw Error(Failure::no_device, std::string("strategy ") + strategy +
                                        " needs a GPU of compute capability 9.0 or later, this one has " +
                                        std::to_string(major) + "." + std::to_string(minor) +
                                        "; run it with --device cpu");
}

/// Device memory for `size` elements of T. Move-only.
template <class T>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(EdgeId size) : size_(size) {
        if (size) LOCKSTEP_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)));
    }
    explicit Buffer(std::span<const T> host) : Buffer(host.size()) { upload(host); }
    explicit Buffer(const std::vector<T>& host) : Buffer(std::span<const T>(host)) {}
    ~Buffer() { cudaFree(data_); }
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() const { return data_; }
    EdgeId size() const { return size_; }
    void upload(std::span<const T> host) {
        if (!host.empty())
            LOCKSTEP_CUDA(cudaMemcpy(data_, host.data(), host.size_bytes(), cudaMemcpyHostToDevice));
    }
    void copy_from(const Buffer& other) {
        if (size_) LOCKSTEP_CUDA(cudaMemcpy(data_, other.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice));
    }
    std::vector<T> download() const {
        std::vector<T> host(size_);
        if (size_) LOCKSTEP_CUDA(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
    void zero() {
        if (size_) LOCKSTEP_CUDA(cudaMemset(data_, 0, size_ * sizeof(T)));
    }

private:
    T* data_ = nullptr;
    EdgeId size_ = 0;
};

/// Seconds between construction and `seconds()`, by device events.
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

/// Of the device that is present when it is made; it does not wait for the default stream.
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

/// A point in the work of a stream that other streams wait for.
class Event {
public:
    Event() { LOCKSTEP_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    cudaEvent_t get() const { return event_; }
    void record(cudaStream_t stream) { LOCKSTEP_CUDA(cudaEventRecord(event_, stream)); }
    /// Work given to `stream` from now on waits for the last record, if there was one.
    void hold(cudaStream_t stream) const { LOCKSTEP_CUDA(cudaStreamWaitEvent(stream, event_)); }

private:
    cudaEvent_t event_{};
};

/// Launches `kernel` with as many blocks of `threads` as the device holds at once (at most
/// `blocks_per_sm` a multiprocessor), so that a device-wide barrier inside it cannot deadlock.
/// `shared` is dynamic shared memory in bytes.
template <class... Parameters, class... Arguments>
void launch_cooperative(void (*kernel)(Parameters...), int threads, int blocks_per_sm, std::size_t shared,
                        const Arguments&... arguments) {
    int device = 0, sms = 0, resident = 0;
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    if (shared)
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(shared)));
    LOCKSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
    if (resident == 0)
        throw Error(Failure::no_device,
                    "the kernel needs more registers or shared memory than the device has");
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    const dim3 grid(static_cast<unsigned>(sms * std::min(resident, blocks_per_sm)));
    LOCKSTEP_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid,
                                              dim3(static_cast<unsigned>(threads)), pointers, shared,
                                              nullptr));
    LOCKSTEP_CUDA(cudaGetLastError());
}

}  // namespace lockstep::gpu
