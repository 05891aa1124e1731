// Error checks of CUDA calls, and the properties of the current device.
#pragma once

#include <cuda_runtime.h>

#if defined(LOCKSTEP_CUDA_FAULTS)
#include <atomic>
#include <cstdio>
#include <cstdlib>
#endif
#include <map>
#include <mutex>
#include <string>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

/// A CUDA call has failed. Lack of memory and a missing device are failures of kind no_device (exit code 5).
/// After an illegal memory access, the process cannot use the device any more.
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

#if defined(LOCKSTEP_CUDA_FAULTS)
/// Returns true if a checked call should fail, in builds for tests only: checked call number
/// CUDA_FAILING_CALL (from 1) fails with the code CUDA_FAILING_ERROR. If the number is 0, all checked calls
/// are printed.
inline bool is_to_fail(const char* site) {
    static std::atomic<long> calls{0};
    const char* const number = std::getenv("CUDA_FAILING_CALL");
    const long failing = number ? std::atol(number) : -1;
    if (failing == 0) std::fprintf(stderr, "checked call: %s\n", site);
    if (++calls != failing) return false;
    std::fprintf(stderr, "injected fault: %s\n", site);
    return true;
}
template <class Code>
Code with_fault(Code code, const char* site) {
    if (!is_to_fail(site)) return code;
    const char* const error = std::getenv("CUDA_FAILING_ERROR");
    return static_cast<Code>(error ? std::atoi(error) : 1);
}
#define LOCKSTEP_CUDA_SITE_(line) __FILE__ ":" #line
#define LOCKSTEP_CUDA_SITE(line) LOCKSTEP_CUDA_SITE_(line)
#define LOCKSTEP_FALLIBLE(call) ::lockstep::gpu::with_fault((call), LOCKSTEP_CUDA_SITE(__LINE__))
#else
#define LOCKSTEP_FALLIBLE(call) (call)
#endif

inline void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    // clears the error, so that a later check does not report it again
    static_cast<void>(cudaGetLastError());
    throw CudaError(code, call);
}
#define LOCKSTEP_CUDA(call) ::lockstep::gpu::check(LOCKSTEP_FALLIBLE(call), #call)

/// Returns the properties of the current device. They are queried only once per device.
inline const Properties& device_properties() {
    static std::mutex mutex;
    static std::map<int, Properties> known;
    int device = 0;
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    const std::lock_guard lock(mutex);
    auto found = known.find(device);
    if (found == known.end()) {
        const auto attribute = [&](cudaDeviceAttr which) {
            int value = 0;
            LOCKSTEP_CUDA(cudaDeviceGetAttribute(&value, which, device));
            return value;
        };
        const Properties properties{static_cast<EdgeId>(attribute(cudaDevAttrMultiProcessorCount)),
                                    static_cast<EdgeId>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
                                    attribute(cudaDevAttrComputeCapabilityMajor),
                                    attribute(cudaDevAttrComputeCapabilityMinor)};
        found = known.emplace(device, properties).first;
    }
    return found->second;
}

/// Returns the number of free bytes of the current device.
inline EdgeId free_memory() {
    std::size_t free = 0, total = 0;
    LOCKSTEP_CUDA(cudaMemGetInfo(&free, &total));
    return free;
}

/// Throws Error (no_device) with the required and the free size if fewer than `needed` bytes of device memory
/// are free.
inline void require_memory(EdgeId needed, const char* advice) {
    std::size_t free = 0, total = 0;
    LOCKSTEP_CUDA(cudaMemGetInfo(&free, &total));
    if (needed <= free) return;
    throw Error(Failure::no_device, "the run needs " + std::to_string(needed / 1000000 + 1) +
                                        " MB of GPU memory, but " + std::to_string(free / 1000000) +
                                        " MB of " + std::to_string(total / 1000000) + " MB are free; " +
                                        advice);
}

}  // namespace lockstep::gpu
