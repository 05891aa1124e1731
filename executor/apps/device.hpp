// Chooses the device of a run (a CPU or an NVIDIA GPU) and describes it for the run record.
#pragma once

#include <future>
#include <string>

#include "lockstep/formats/run_record.hpp"

namespace lockstep {

enum class Device { automatic, cpu, cuda, reference };

/// Returns true if there is a GPU that this build can use; otherwise stores the reason why not in `*reason`.
bool cuda_available(std::string* reason);
/// Returns the device on which a run for the request `wanted` takes place. For `automatic`, this is CUDA if a
/// GPU is available, else the CPU, and `*note` receives the reason for the CPU. Throws Error (no_device) if
/// `wanted` is CUDA, but no GPU is available.
Device usable_device(Device wanted, std::string* note);
/// Returns the device of a run with several processes, chosen like usable_device(). On CUDA, each process
/// uses a GPU of its own: the process with index i on its host selects GPU i. Throws Error (no_device) also
/// if some processes have a GPU and others have none. All processes must call this function.
Device common_device(Device wanted, std::string* note);

#if defined(LOCKSTEP_HAS_CUDA)
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif
/// Calls `gpu` if the device is CUDA, otherwise `cpu`, and returns the result of the call. A build without
/// CUDA does not compile `gpu`, so the functions that `gpu` calls need not exist there.
template <class Cpu, class Gpu>
auto on_device([[maybe_unused]] Device device, Cpu cpu, [[maybe_unused]] Gpu gpu) {
    if constexpr (has_cuda) {
        if (device == Device::cuda) return gpu();
    }
    return cpu();
}

/// Starts to initialize the GPU in a background thread, unless `wanted` excludes a GPU. Initialization takes
/// 0.2 seconds, during which the caller can do other work, although its memory allocations are slower. Errors
/// are ignored here, since they occur again when the GPU is used. Does nothing if there are several
/// processes, because each of them selects its GPU later.
std::future<void> wake(Device wanted);

/// Returns the description of this host's CPU, on which each of `processes` processes uses `threads` threads.
DeviceInfo cpu_device(int threads, int processes = 1);
/// Returns the description of the current GPU. A run with several GPUs has `count` GPUs of this type.
DeviceInfo cuda_device(int count = 1);
/// Returns the compute capability of the current GPU as a number: 90 means 9.0. Throws Error (no_device) if
/// there is no GPU.
int cuda_capability();
/// Returns the description of `device` for the run record. `threads` is the number of CPU threads (0: all); a
/// serial reference always has one. `count` is the number of GPUs, or of processes on CPUs.
DeviceInfo device_info(Device device, int threads, int count = 1);
/// Throws Error (no_device) if there are fewer than `count` GPUs.
void require_gpus(int count);
/// Selects GPU `number` of this host for this process. Throws Error (no_device) if there is no such GPU.
void use_gpu(int number);
/// Returns the rate of a copy in GPU memory, in bytes read plus written per second. Measured rates of kernels
/// are compared with it. Returns 0 without a GPU, or if less than 1 GiB of its memory is free.
double cuda_copy_rate();

}  // namespace lockstep
