// The devices that every application can run on.
#pragma once

#include <future>
#include <string>

#include "lockstep/formats/run_record.hpp"

namespace lockstep {

enum class Device { automatic, cpu, cuda, reference };

/// Returns whether there is a GPU that this build can use; otherwise `*reason` receives the reason.
bool cuda_available(std::string* reason);
/// Returns `wanted`. For `automatic`, returns CUDA if it is available, else the CPU, with the reason in
/// `*note`. Throws Error (no_device) if `wanted` is CUDA and it is not available.
Device usable_device(Device wanted, std::string* note);
/// Does the same for all processes of a run, each of which uses a GPU of its own: the GPU with the process's
/// index on its host becomes the current one. Also throws Error (no_device) if some processes have a GPU and
/// others have none. All processes must call it.
Device common_device(Device wanted, std::string* note);

#if defined(LOCKSTEP_HAS_CUDA)
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif
/// Calls `gpu` if the device is CUDA, otherwise `cpu`, and returns its result. A build without CUDA never
/// calls `gpu`, so it needs none of the functions that `gpu` uses.
template <class Cpu, class Gpu>
auto on_device([[maybe_unused]] Device device, Cpu cpu, [[maybe_unused]] Gpu gpu) {
    if constexpr (has_cuda) {
        if (device == Device::cuda) return gpu();
    }
    return cpu();
}

/// Starts to initialize the GPU in the background, if `wanted` may be one. This takes 0.2 seconds, in which
/// other work continues; allocating memory is slower meanwhile. A failure is ignored here, since it occurs
/// again when the GPU is used. Does nothing if there are several processes, since each has yet to choose its
/// GPU.
std::future<void> wake(Device wanted);

/// Returns the CPU of one process, or of several processes on CPUs like it.
DeviceInfo cpu_device(int threads, int processes = 1);
/// Returns the current GPU, or `count` GPUs like it.
DeviceInfo cuda_device(int count = 1);
/// Returns the compute capability of the current GPU: 90 is 9.0. Throws Error (no_device) if there is none.
int cuda_capability();
/// Returns the description of `device` with this number of CPU threads, 0 = all. A reference is serial.
/// `count`: number of GPUs, or of processes on CPUs.
DeviceInfo device_info(Device device, int threads, int count = 1);
/// Throws Error (no_device) if there are fewer than `count` GPUs.
void require_gpus(int count);
/// Makes GPU `number` of this host the current one of this process. Throws Error (no_device) if there is
/// none.
void use_gpu(int number);
/// Returns the bytes read and written per second by a copy on the device, with which the rates of kernels are
/// compared; 0 without a GPU or if less than 1 GiB is free.
double cuda_copy_rate();

}  // namespace lockstep
