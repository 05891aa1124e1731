// Buffer: an array in device memory, which is freed by the destructor.
#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/executor/device/runtime.cuh"
#include "lockstep/schedules/array.hpp"

namespace lockstep::gpu {

/// Copies `size` elements from device memory to the host, and returns them.
template <class T>
std::vector<std::remove_cv_t<T>> download(T* data, EdgeId size) {
    std::vector<std::remove_cv_t<T>> host(size);
    if (size) LOCKSTEP_CUDA(cudaMemcpy(host.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

/// An array of `size` elements of type T in device memory. It can be moved, but not copied.
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
    std::vector<T> download() const { return gpu::download(data_, size_); }
    /// Returns a copy of the buffer as an Array, whose elements are not initialized first. This saves time
    /// for gigabytes.
    Array<T> download_array() const {
        Array<T> host(size_);
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

}  // namespace lockstep::gpu
