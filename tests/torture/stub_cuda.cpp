// A CUDA runtime without a device, to be preloaded if there is no GPU. It has STUB_GPUS devices (default 1),
// whose memory is host memory, whose copies are synchronous, and whose kernels do nothing. Programs run all
// host code that does not depend on results of kernels; their results are meaningless. Loops that wait for a
// kernel end with cudaErrorLaunchTimeout after STUB_LAUNCHES launches (default 1000). New memory is filled
// with zeros, or with 64-bit ones if STUB_ONES=1, as if kernels had counted there. The library also replaces
// NCCL; its NCCL functions copy nothing.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(LOCKSTEP_HAS_NCCL)
#include <nccl.h>
#endif

namespace {

/// Memory size of a device in bytes: too small for the probe's measurement of copies, which is skipped then
constexpr std::size_t memory = std::size_t{512} << 20;

long number(const char* name, long otherwise) {
    const char* const text = std::getenv(name);
    return text ? std::atol(text) : otherwise;
}

thread_local int present = 0;
thread_local struct {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
} configuration;

cudaError_t launched() {
    static const long most = number("STUB_LAUNCHES", 1000);
    static std::atomic<long> launches{0};
    return ++launches > most ? cudaErrorLaunchTimeout : cudaSuccess;
}

/// Creates a stream, an event or a graph, which is only an address.
template <class Handle>
cudaError_t make(Handle* handle) {
    static char anything;
    *handle = reinterpret_cast<Handle>(&anything);
    return cudaSuccess;
}

int attribute(cudaDeviceAttr which) {
    switch (which) {
        case cudaDevAttrMultiProcessorCount:
            return 132;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return 227 << 10;
        case cudaDevAttrComputeCapabilityMajor:
            return 9;
        case cudaDevAttrMaxThreadsPerBlock:
            return 1024;
        case cudaDevAttrMaxGridDimX:
            return 0x7fffffff;
        default:
            return 0;
    }
}

}  // namespace

extern "C" {

// Functions that nvcc calls to register and to launch kernels
void** __cudaRegisterFatBinary(void*) {
    static void* none = nullptr;
    return &none;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
char __cudaInitModule(void**) { return 0; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
    configuration = {grid, block, shared, stream};
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    *grid = configuration.grid, *block = configuration.block, *shared = configuration.shared;
    *static_cast<cudaStream_t*>(stream) = configuration.stream;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void*) { return make(kernel); }
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) {
    return launched();
}

cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
    return launched();
}
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
    return launched();
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) { return launched(); }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    std::memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = 1024;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->numRegs = 32;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
    return *blocks = 8, cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                   unsigned) {
    return *blocks = 8, cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
    *count = static_cast<int>(number("STUB_GPUS", 1));
    return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaGetDevice(int* device) { return *device = present, cudaSuccess; }
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= number("STUB_GPUS", 1)) return cudaErrorInvalidDevice;
    return present = device, cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    std::memset(properties, 0, sizeof *properties);
    std::strcpy(properties->name, "no GPU, but a stub");
    properties->multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    properties->totalGlobalMem = memory;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
    return *value = attribute(which), cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "an error of the stub"; }
const char* cudaGetErrorString(cudaError_t code) {
    return code == cudaErrorLaunchTimeout ? "the stub has launched enough" : "injected";
}

cudaError_t cudaMalloc(void** place, std::size_t size) {
    static const bool ones = number("STUB_ONES", 0) != 0;
    const std::size_t words = size / 8 + 1;
    auto* const memory = static_cast<std::uint64_t*>(std::calloc(words, 8));
    if (memory && ones) std::fill_n(memory, words, 1);
    return (*place = memory) ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* place) { return std::free(place), cudaSuccess; }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return *free = *total = memory, cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind) {
    return std::memmove(to, from, size), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind, cudaStream_t) {
    return std::memmove(to, from, size), cudaSuccess;
}
cudaError_t cudaMemset(void* place, int byte, std::size_t size) {
    return std::memset(place, byte, size), cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* place, int byte, std::size_t size, cudaStream_t) {
    return std::memset(place, byte, size), cudaSuccess;
}
cudaError_t cudaHostAlloc(void** place, std::size_t size, unsigned) { return cudaMalloc(place, size); }
cudaError_t cudaHostRegister(void*, std::size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return make(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return cudaSuccess; }
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) { return make(graph); }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t, unsigned long long) {
    return make(instance);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return launched(); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t* event) { return make(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return make(event); }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
    return *milliseconds = 100, cudaSuccess;
}

#if defined(LOCKSTEP_HAS_NCCL)
ncclResult_t ncclCommInitAll(ncclComm_t* communicators, int count, const int*) {
    for (int i = 0; i < count; ++i) make(communicators + i);
    return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId*) { return ncclSuccess; }
ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int, ncclUniqueId, int) {
    return make(communicator), ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t) { return ncclSuccess; }
ncclResult_t ncclGroupStart() { return ncclSuccess; }
ncclResult_t ncclGroupEnd() { return ncclSuccess; }
ncclResult_t ncclSend(const void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
    return ncclSuccess;
}
ncclResult_t ncclRecv(void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
    return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t) { return "an error of the stub"; }
#endif

}  // extern "C"
