#include "cuda.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "apps/device.hpp"
#if defined(LOCKSTEP_HAS_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace lockstep::c {

namespace {

namespace fs = std::filesystem;

/// The CUDA library after it was loaded. If it cannot be used, `handle` is null, and `reason` explains why.
struct Library {
    void* handle = nullptr;
    std::string reason;

    Library() {
        const char* const named = std::getenv("LOCKSTEP_CUDA_LIBRARY");
        const fs::path path = named && *named ? fs::path(named) : beside();
        std::error_code error;
        if (!fs::exists(path, error)) {
            reason = fmt::format("the CUDA library, {}, was not found", path.string());
            return;
        }
        handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
            reason = fmt::format("the CUDA library cannot be loaded: {}", dlerror());
            return;
        }
        const auto version = reinterpret_cast<const char* (*)()>(dlsym(handle, "lockstep_version"));
        if (version && std::strcmp(version(), lockstep_version()) == 0) return;
        reason = fmt::format("{} has the version {}; expected {}", path.string(),
                             version ? version() : "unknown", lockstep_version());
        handle = nullptr;
    }
    /// Returns the default path of the CUDA library, which is in the same folder as this library.
    static fs::path beside() {
        Dl_info info;
        if (!dladdr(reinterpret_cast<const void*>(&lockstep_version), &info) || !info.dli_fname) return {};
        return fs::path(info.dli_fname).parent_path() / "liblockstep_cuda.so";
    }
};

const Library& library() {
    static const Library found;
    return found;
}

/// Returns the reason why no GPU can be used; empty if there is a usable GPU.
std::string lack() {
    std::string reason;
    if constexpr (has_cuda) {
        cuda_available(&reason);
        return reason;
    }
    if (!library().handle) return library().reason;
    if (in_cuda(&lockstep_has_cuda, "lockstep_has_cuda")()) return {};
    return in_cuda(&lockstep_last_error, "lockstep_last_error")();
}

std::string device_of(const char* const* options) {
    std::vector<std::string> list = list_of(options);
    return take_option(list, "device");
}

}  // namespace

void* cuda_symbol(const char* name) {
    void* const symbol = dlsym(library().handle, name);
    if (!symbol) throw Error(fmt::format("the CUDA library has no {}", name));
    return symbol;
}

bool runs_on_cuda(const char* const* options) {
    if constexpr (has_cuda) return false;  // this is the CUDA library itself, which forwards no calls
    const std::string device = device_of(options);
    const bool requested = device == "cuda" || device == "gpu";
    if (!requested && !device.empty() && device != "auto") return false;
    const std::string reason = lack();
    if (requested && !reason.empty()) throw Error(Failure::no_device, "no usable GPU: " + reason);
    return reason.empty();
}

void passed(int code) {
    if (code != LOCKSTEP_OK)
        throw CudaLibraryError(code, in_cuda(&lockstep_last_error, "lockstep_last_error")());
}

void copy(void* to, const void* from, std::size_t bytes, [[maybe_unused]] bool on_device) {
    if (bytes == 0) return;
#if defined(LOCKSTEP_HAS_CUDA)
    if (on_device) {
        const cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
        if (error != cudaSuccess)
            throw Error(Failure::no_device, fmt::format("cudaMemcpy: {}", cudaGetErrorString(error)));
        return;
    }
#else
    if (on_device)
        throw Error(Failure::bad_input, "an array is in the memory of a GPU, but the run is not on a GPU");
#endif
    std::memcpy(to, from, bytes);
}

}  // namespace lockstep::c

int lockstep_has_cuda(void) {
    int there = 0;
    lockstep::c::call([&] {
        const std::string reason = lockstep::c::lack();
        if (!reason.empty()) throw lockstep::Error(lockstep::Failure::no_device, reason);
        there = 1;
    });
    return there;
}
