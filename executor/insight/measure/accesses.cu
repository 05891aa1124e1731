// Measures the time of an access to global memory on a GPU.
#include "insight/measure/accesses.hpp"
#include "insight/measure/probe.cuh"

namespace lockstep::insight {

namespace {

constexpr std::uint32_t count = 1 << 24;
/// The launch configuration of the walks along arcs with one thread per vertex (arc/rounds.cuh).
constexpr gpu::Shape shape{256, 8};

template <Access A, bool InOrder, class Word>
__global__ void __launch_bounds__(shape.threads) accesses(Word* words, VertexId size) {
    const auto step = static_cast<std::uint32_t>(gpu::threads_of_grid());
    const auto first = static_cast<std::uint32_t>(gpu::thread_of_grid());
    const VertexId stride = step % size;
    VertexId next = first % size;
    Word seen = 0;
#pragma unroll 4
    for (std::uint32_t i = first; i < count; i += step) {
        const VertexId at = InOrder ? next : random_word(i, size);
        if constexpr (A == Access::read)
            seen += words[at];
        else if constexpr (A == Access::write)
            words[at] = i;
        else
            atomicAdd(words + at, Word{1});
        // next becomes (next + stride) mod size, computed without overflow
        next = next < size - stride ? next + stride : next - (size - stride);
    }
    // This is never true; it prevents the compiler from removing the reads.
    if (seen != Word{0}) words[first % size] = seen;
}

template <Access A, bool InOrder = false, class Word = unsigned>
double access_seconds(VertexId size) {
    gpu::Buffer<Word> words(size);
    words.zero();
    Word* const data = words.data();
    const double seconds =
        gpu::probe::seconds_of([&] { gpu::launch(accesses<A, InOrder, Word>, shape, 0, data, size); });
    return seconds / count;
}

}  // namespace

Accesses cuda_accesses(VertexId size) {
    return {access_seconds<Access::read, true>(size),
            access_seconds<Access::write, true>(size),
            access_seconds<Access::read>(size),
            access_seconds<Access::write>(size),
            access_seconds<Access::add_float, false, float>(size),
            access_seconds<Access::add_whole, false, unsigned long long>(size)};
}

}  // namespace lockstep::insight
