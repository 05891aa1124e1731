#include "apps/device.hpp"

#include <omp.h>

#include <fstream>
#include <system_error>

#include "lockstep/executor/ranks.hpp"
#include "lockstep/schedules/error.hpp"
#if defined(LOCKSTEP_HAS_CUDA)
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/streams.cuh"
#endif

namespace lockstep {

#if defined(LOCKSTEP_HAS_CUDA)
bool cuda_available(std::string* reason) {
    int devices = 0;
    const cudaError_t code = LOCKSTEP_FALLIBLE(cudaGetDeviceCount(&devices));
    if (code == cudaSuccess && devices > 0) return true;
    *reason =
        std::string("no usable GPU: ") + (code == cudaSuccess ? "none found" : cudaGetErrorString(code));
    return false;
}

std::future<void> wake(Device wanted) {
    if (wanted == Device::cpu || wanted == Device::reference || ranks().count() > 1) return {};
    try {
        return std::async(std::launch::async, [] {
            if (cudaFree(nullptr) != cudaSuccess) static_cast<void>(cudaGetLastError());
        });
    } catch (const std::system_error&) {
        return {};  // if no thread can be started, the GPU is initialized at its first use instead
    }
}

DeviceInfo cuda_device(int count) {
    int device = 0, driver = 0, runtime = 0;
    cudaDeviceProp properties{};
    LOCKSTEP_CUDA(cudaGetDevice(&device));
    LOCKSTEP_CUDA(cudaGetDeviceProperties(&properties, device));
    LOCKSTEP_CUDA(cudaDriverGetVersion(&driver));
    LOCKSTEP_CUDA(cudaRuntimeGetVersion(&runtime));
    const auto dotted = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    const std::string several = count > 1 ? std::to_string(count) + " x " : "";
    return {"cuda", several + properties.name,
            static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(properties.multiProcessorCount),
            "driver for CUDA " + dotted(driver) + ", runtime " + dotted(runtime)};
}

int cuda_capability() {
    const gpu::Properties& properties = gpu::device_properties();
    return 10 * properties.major + properties.minor;
}

void require_gpus(int count) {
    int devices = 0;
    const cudaError_t code = LOCKSTEP_FALLIBLE(cudaGetDeviceCount(&devices));
    if (code == cudaSuccess && devices >= count) return;
    throw Error(Failure::no_device, std::to_string(count) + " GPUs are requested, but " +
                                        (code == cudaSuccess ? std::to_string(devices) + " are usable"
                                                             : std::string(cudaGetErrorString(code))));
}

void use_gpu(int number) {
    int devices = 0;
    LOCKSTEP_CUDA(cudaGetDeviceCount(&devices));
    if (number >= devices)
        throw Error(Failure::no_device, "process " + std::to_string(number + 1) +
                                            " on this host has no GPU: " + std::to_string(devices) +
                                            " are usable; start one process per GPU, or use --device cpu");
    LOCKSTEP_CUDA(cudaSetDevice(number));
}

double cuda_copy_rate() {
    constexpr EdgeId bytes = EdgeId{1} << 28;
    constexpr int copies = 10;
    std::size_t free = 0, total = 0;
    LOCKSTEP_CUDA(cudaMemGetInfo(&free, &total));
    if (free < 4 * bytes) return 0;
    gpu::Buffer<char> from(bytes), to(bytes);
    to.copy_from(from);  // an unmeasured copy, since the first copy is slower
    gpu::Timer timer;
    for (int i = 0; i < copies; ++i) to.copy_from(from);
    return 2.0 * copies * static_cast<double>(bytes) / timer.seconds();
}
#else
bool cuda_available(std::string* reason) {
    *reason = "the CUDA backend was not compiled in (no CUDA compiler was found when this program was built)";
    return false;
}

std::future<void> wake(Device) { return {}; }

DeviceInfo cuda_device(int) { return {}; }
// always throws Error (no_device): this build has no CUDA
int cuda_capability() { return usable_device(Device::cuda, nullptr), 0; }

void require_gpus(int) { usable_device(Device::cuda, nullptr); }  // always throws Error (no_device)
void use_gpu(int) { usable_device(Device::cuda, nullptr); }       // always throws Error (no_device)

double cuda_copy_rate() { return 0; }
#endif

Device usable_device(Device wanted, std::string* note) {
    if (wanted == Device::automatic) return cuda_available(note) ? Device::cuda : Device::cpu;
    std::string reason;
    if (wanted == Device::cuda && !cuda_available(&reason)) throw Error(Failure::no_device, reason);
    return wanted;
}

Device common_device(Device wanted, std::string* note) {
    const Device device = usable_device(wanted, note);
    // Processes on CPUs exchange values by MPI, processes on GPUs by NCCL, so all processes of a run must use
    // the same kind of device.
    if (ranks().most(device == Device::cuda) != ranks().broadcast_value(device == Device::cuda ? 1.0 : 0.0))
        throw Error(Failure::no_device, "some processes have a GPU and others have none; use --device cpu");
    if (device == Device::cuda && ranks().count() > 1) use_gpu(ranks().on_host());
    return device;
}

DeviceInfo cpu_device(int threads, int processes) {
    std::string name = "CPU";
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; name == "CPU" && std::getline(info, line);) {
        if (line.starts_with("model name")) name = line.substr(line.find(':') + 2);
    }
    if (processes > 1) name = std::to_string(processes) + " processes on " + name;
    return {"cpu", name, static_cast<std::uint64_t>(processes) * static_cast<std::uint64_t>(threads), ""};
}

DeviceInfo device_info(Device device, int threads, int count) {
    if (device == Device::reference) return {"reference", "serial", 1, ""};
    return device == Device::cuda ? cuda_device(count)
                                  : cpu_device(threads > 0 ? threads : omp_get_max_threads(), count);
}

}  // namespace lockstep
