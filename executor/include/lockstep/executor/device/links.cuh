// Copies between the GPUs of one process by NCCL, which is loaded when there are several: its library need
// not be there otherwise.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lockstep/executor/device/streams.cuh"

#if defined(LOCKSTEP_HAS_NCCL)
#include <dlfcn.h>
#include <nccl.h>
#endif

namespace lockstep::gpu {

#if defined(LOCKSTEP_HAS_NCCL)
/// The functions of NCCL that are used here (its API reference, "Communicator Creation" and "Point To Point
/// Communication Functions").
class Nccl {
public:
    Nccl() {
        void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            throw Error(Failure::no_device, std::string("several GPUs need NCCL: ") + dlerror() +
                                                "; install libnccl2, or name its folder in LD_LIBRARY_PATH");
        }
        find(library, "ncclCommInitAll", init_all), find(library, "ncclCommDestroy", destroy);
        find(library, "ncclGroupStart", group_start), find(library, "ncclGroupEnd", group_end);
        find(library, "ncclSend", send), find(library, "ncclRecv", receive);
        find(library, "ncclGetErrorString", error_string);
    }

    decltype(&ncclCommInitAll) init_all;
    decltype(&ncclCommDestroy) destroy;
    decltype(&ncclGroupStart) group_start;
    decltype(&ncclGroupEnd) group_end;
    decltype(&ncclSend) send;
    decltype(&ncclRecv) receive;
    decltype(&ncclGetErrorString) error_string;

    void check(ncclResult_t result) const {
        if (result != ncclSuccess) throw Error(std::string("NCCL: ") + error_string(result));
    }

private:
    template <class Function>
    static void find(void* library, const char* name, Function& function) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        if (!function) throw Error(Failure::no_device, std::string("the NCCL library lacks ") + name);
    }
};

/// Devices 0 … count - 1, with a stream on each for the copies.
class Links {
public:
    explicit Links(int count) : communicators_(static_cast<std::size_t>(count)) {
        for (int device = 0; device < count; ++device) {
            LOCKSTEP_CUDA(cudaSetDevice(device));
            streams_.emplace_back();
        }
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.init_all(communicators_.data(), count, nullptr)));
        LOCKSTEP_CUDA(cudaSetDevice(0));
    }
    ~Links() {
        for (ncclComm_t communicator : communicators_) nccl_.destroy(communicator);
    }
    Links(const Links&) = delete;
    Links& operator=(const Links&) = delete;

    cudaStream_t stream(std::size_t device) const { return streams_[device].get(); }

    /// copies() calls copy(); all of them run side by side, in the streams of both ends.
    template <class Copies>
    void together(Copies copies) {
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.group_start()));
        copies();
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.group_end()));
    }
    void copy(std::size_t from, std::span<const float> source, std::size_t to, std::span<float> target) {
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.send(source.data(), source.size(), ncclFloat,
                                                 static_cast<int>(to), communicators_[from], stream(from))));
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.receive(target.data(), target.size(), ncclFloat,
                                                    static_cast<int>(from), communicators_[to], stream(to))));
    }

private:
    Nccl nccl_;
    std::vector<Stream> streams_;
    std::vector<ncclComm_t> communicators_;
};
#else
class Links {
public:
    explicit Links(int) {
        throw Error(Failure::no_device,
                    "several GPUs need NCCL, whose header was not found when this program was built");
    }
    cudaStream_t stream(std::size_t) const { return nullptr; }
    template <class Copies>
    void together(Copies) {}
    void copy(std::size_t, std::span<const float>, std::size_t, std::span<float>) {}
};
#endif

}  // namespace lockstep::gpu
