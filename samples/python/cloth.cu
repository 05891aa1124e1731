// Relaxes springs on a GPU in batches of springs that share no particle. Each batch is one kernel launch,
// which needs neither locks nor atomic operations. samples/python/cloth_gpu.py calls this code.
//     nvcc -shared -Xcompiler -fPIC -arch=native -o cloth.so cloth.cu
#include <cstdint>

__global__ void relax(float3* at, const float* weight, const int64_t* i, const int64_t* j, const float* rest,
                      int64_t first, int64_t last) {
    const int64_t e = first + blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (e >= last) return;
    float3 a = at[i[e]], b = at[j[e]];
    const float wa = weight[i[e]], wb = weight[j[e]];
    const float3 d = {a.x - b.x, a.y - b.y, a.z - b.z};
    const float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    if (length == 0 || wa + wb == 0) return;
    const float s = (length - rest[e]) / (length * (wa + wb)), p = s * wa, q = s * wb;
    at[i[e]] = {a.x - p * d.x, a.y - p * d.y, a.z - p * d.z};
    at[j[e]] = {b.x + q * d.x, b.y + q * d.y, b.z + q * d.z};
}

template <class T>
static T* on_gpu(const T* host, int64_t count) {
    T* there = nullptr;
    cudaMalloc(&there, sizeof(T) * count);
    cudaMemcpy(there, host, sizeof(T) * count, cudaMemcpyHostToDevice);
    return there;
}

/// Relaxes all batches `count` times. `*ms` receives the time on the GPU in milliseconds. Returns 0, or a
/// CUDA error code.
extern "C" int passes(int count, float3* at, const float* weight, int64_t particles, const int64_t* i,
                      const int64_t* j, const float* rest, const int64_t* offsets, int64_t batches,
                      float* ms) {
    const int64_t springs = offsets[batches];
    float3* const x = on_gpu(at, particles);
    const float *const w = on_gpu(weight, particles), *const r = on_gpu(rest, springs);
    const int64_t *const a = on_gpu(i, springs), *const b = on_gpu(j, springs);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaEventRecord(begin);
    for (int pass = 0; pass < count; ++pass) {
        for (int64_t k = 0; k < batches; ++k)
            relax<<<static_cast<unsigned>((offsets[k + 1] - offsets[k] + 255) / 256), 256>>>(
                x, w, a, b, r, offsets[k], offsets[k + 1]);
    }
    cudaEventRecord(end);
    cudaMemcpy(at, x, sizeof(float3) * particles, cudaMemcpyDeviceToHost);
    cudaEventElapsedTime(ms, begin, end);
    for (const void* p : {(const void*)x, (const void*)w, (const void*)r, (const void*)a, (const void*)b})
        cudaFree(const_cast<void*>(p));
    return cudaGetLastError();
}
