// The devices that every application can run on.
#pragma once

#include <future>
#include <string>

#include "lockstep/formats/run_record.hpp"

namespace lockstep {

enum class Device { automatic, cpu, cuda, reference };

/// Whether there is a GPU and this build can use it; otherwise `*reason` says why not.
bool cuda_available(std::string* reason);
/// `wanted`, or for `automatic` CUDA where it is available, else the CPU, with the reason in `*note`.
/// Throws Error (no_device) for CUDA where it is not.
Device usable_device(Device wanted, std::string* note);
/// The same for all processes of a run, which have a GPU each: that of their number on their host becomes the
/// present one. Throws Error (no_device), too, where some have one and others none. Called by all.
Device common_device(Device wanted, std::string* note);

#if defined(LOCKSTEP_HAS_CUDA)
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif
/// What `cpu` or `gpu` returns, whichever the device is. A build without CUDA calls no `gpu`, whose functions
/// it need not have.
template <class Cpu, class Gpu>
auto on_device([[maybe_unused]] Device device, Cpu cpu, [[maybe_unused]] Gpu gpu) {
    if constexpr (has_cuda) {
        if (device == Device::cuda) return gpu();
    }
    return cpu();
}

/// Begins to make the GPU ready, if `wanted` may be one: that takes a fifth of a second, in which other work
/// goes on, more slowly where it asks for memory. What fails here fails again where the GPU is used. Of
/// several processes each has yet to choose its own: nothing.
std::future<void> wake(Device wanted);

/// Of one process, or of several like it.
DeviceInfo cpu_device(int threads, int processes = 1);
/// The present one, or several like it.
DeviceInfo cuda_device(int count = 1);
/// Compute capability of the present GPU: 90 is 9.0. Throws Error (no_device) where there is none.
int cuda_capability();
/// Of `device`, with so many threads of a CPU; 0 = all. A reference is serial. `count`: so many GPUs, or
/// processes on CPUs.
DeviceInfo device_info(Device device, int threads, int count = 1);
/// Throws Error (no_device) where there are fewer GPUs.
void require_gpus(int count);
/// Makes that GPU of this host the one of this process. Throws Error (no_device) where there is none.
void use_gpu(int number);
/// Bytes read and written a second by a copy on the device, the yardstick of a kernel's; 0 without a GPU or
/// where 1 GiB is not free.
double cuda_copy_rate();

}  // namespace lockstep
