// Copies between GPUs by NCCL. The GPUs belong to one process, or to several processes with one GPU each. The
// NCCL library is loaded at run time, only if there are several GPUs; otherwise it need not be installed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/ranks.hpp"

#if defined(LOCKSTEP_HAS_NCCL)
#include <dlfcn.h>
#include <nccl.h>
#endif

namespace lockstep::gpu {

#if defined(LOCKSTEP_HAS_NCCL)
/// The functions of NCCL that this file uses (NCCL API reference, "Communicator Creation" and "Point To Point
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
        find(library, "ncclGetUniqueId", unique_id), find(library, "ncclCommInitRank", init_rank);
        find(library, "ncclGroupStart", group_start), find(library, "ncclGroupEnd", group_end);
        find(library, "ncclSend", send), find(library, "ncclRecv", receive);
        find(library, "ncclGetErrorString", error_string);
    }

    decltype(&ncclCommInitAll) init_all;
    decltype(&ncclGetUniqueId) unique_id;
    decltype(&ncclCommInitRank) init_rank;
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

/// The NCCL communicators of this process, and one CUDA stream per device for the copies. A peer is a device
/// of this or another process.
class Links {
public:
    /// Connects the devices 0 … count - 1 of this process.
    explicit Links(int count) : communicators_(static_cast<std::size_t>(count)) {
        for (int device = 0; device < count; ++device) {
            LOCKSTEP_CUDA(cudaSetDevice(device));
            streams_.emplace_back();
        }
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.init_all(communicators_.data(), count, nullptr)));
        LOCKSTEP_CUDA(cudaSetDevice(0));
    }
    /// Connects the processes of `all`, each with its current device. All processes must call it.
    explicit Links(Ranks& all) : communicators_(1) {
        streams_.emplace_back();
        ncclUniqueId id{};
        if (all.first()) nccl_.check(LOCKSTEP_FALLIBLE(nccl_.unique_id(&id)));
        const ncclUniqueId broadcast_value = all.broadcast_value(id);
        nccl_.check(LOCKSTEP_FALLIBLE(
            nccl_.init_rank(communicators_.data(), all.count(), broadcast_value, all.rank())));
    }
    ~Links() {
        for (ncclComm_t communicator : communicators_) nccl_.destroy(communicator);
    }
    Links(const Links&) = delete;
    Links& operator=(const Links&) = delete;

    /// Returns the stream for the copies of a device; `device` is an index among the devices of this process.
    cudaStream_t stream(std::size_t device) const { return streams_[device].get(); }

    /// Calls copies(), which must call send() and receive() in matching pairs. All these copies run
    /// concurrently, in the streams of their devices.
    template <class Copies>
    void run_group(Copies copies) {
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.group_start()));
        copies();
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.group_end()));
    }
    void send(std::size_t device, std::span<const float> source, std::size_t to_peer) {
        nccl_.check(
            LOCKSTEP_FALLIBLE(nccl_.send(source.data(), source.size(), ncclFloat, static_cast<int>(to_peer),
                                         communicators_[device], stream(device))));
    }
    void receive(std::size_t device, std::span<float> target, std::size_t from_peer) {
        nccl_.check(LOCKSTEP_FALLIBLE(nccl_.receive(target.data(), target.size(), ncclFloat,
                                                    static_cast<int>(from_peer), communicators_[device],
                                                    stream(device))));
    }

private:
    Nccl nccl_;
    std::vector<Stream> streams_;
    std::vector<ncclComm_t> communicators_;
};
#else
class Links {
public:
    explicit Links(int) { refuse(); }
    explicit Links(Ranks&) { refuse(); }
    cudaStream_t stream(std::size_t) const { return nullptr; }
    template <class Copies>
    void run_group(Copies) {}
    void send(std::size_t, std::span<const float>, std::size_t) {}
    void receive(std::size_t, std::span<float>, std::size_t) {}

private:
    [[noreturn]] static void refuse() {
        throw Error(Failure::no_device,
                    "several GPUs need NCCL, whose header was not found when this program was built");
    }
};
#endif

}  // namespace lockstep::gpu
