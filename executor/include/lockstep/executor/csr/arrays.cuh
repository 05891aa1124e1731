// DeviceArrays: copies of a plan's arrays in GPU memory.
#pragma once

#include <functional>

#include "lockstep/executor/csr/csr.hpp"
#include "lockstep/executor/device/memory.cuh"

namespace lockstep::gpu {

/// Owns arrays in device memory. Each call copies one host array to the device, and returns its device
/// address or a view of it.
class DeviceArrays {
public:
    template <class Array>
    const typename Array::value_type* operator()(const Array& host) {
        const auto& array = arrays_.emplace_back(std::as_bytes(std::span(host)));
        return reinterpret_cast<const typename Array::value_type*>(array.data());
    }
    OffsetsView operator()(const Offsets& host) { return {(*this)(host.low), (*this)(host.high)}; }
    CsrView operator()(const Csr& host) {
        return {(*this)(host.offsets), (*this)(host.ends), (*this)(host.weights)};
    }
    void* operator()(EdgeId bytes, const std::function<void(void*)>& fill) {
        Array<std::byte> host(bytes);
        fill(host.data());
        return arrays_.emplace_back(std::span<const std::byte>(host)).data();
    }
    /// Allocates an uninitialized array of `count` elements.
    template <class T>
    T* allocate(EdgeId count) {
        return reinterpret_cast<T*>(arrays_.emplace_back(count * sizeof(T)).data());
    }

private:
    std::vector<Buffer<std::byte>> arrays_;
};

}  // namespace lockstep::gpu
