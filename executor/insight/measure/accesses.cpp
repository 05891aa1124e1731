#include "insight/measure/accesses.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace lockstep::insight {

namespace {

constexpr std::uint32_t accesses = 1 << 21;

template <Access A, bool InOrder>
double access_seconds(VertexId size, int threads) {
    using Word = std::conditional_t<A == Access::add_whole, std::uint64_t,
                                    std::conditional_t<A == Access::add_float, float, std::uint32_t>>;
    std::vector<Word> words(size);
    std::vector<double> seconds;
    std::uint32_t seen = 0;
    for (int run = 0; run < 6; ++run) {  // the first run, which loads the caches, is not counted
        const double start = omp_get_wtime();
#pragma omp parallel for num_threads(threads) schedule(static) reduction(^ : seen)
        for (std::uint32_t i = 0; i < accesses; ++i) {
            Word& word = words[InOrder ? i % size : random_word(i, size)];
            std::atomic_ref shared(word);
            if constexpr (A == Access::read)
                seen ^= shared.load(std::memory_order_relaxed);
            else if constexpr (A == Access::write)
                shared.store(i, std::memory_order_relaxed);
            else
                shared.fetch_add(1, std::memory_order_relaxed);
        }
        seconds.push_back(omp_get_wtime() - start);
    }
    if (seen != 0) words[0] = Word(seen);  // never true; prevents the compiler from removing the reads
    std::sort(seconds.begin() + 1, seconds.end());
    return seconds[3] / accesses;
}

}  // namespace

Accesses measure_accesses(Device device, VertexId size, int threads) {
    const int all = threads > 0 ? threads : omp_get_max_threads();
    return on_device(
        usable_device(device, nullptr),
        [&] {
            return Accesses{access_seconds<Access::read, true>(size, all),
                            access_seconds<Access::write, true>(size, all),
                            access_seconds<Access::read, false>(size, all),
                            access_seconds<Access::write, false>(size, all),
                            access_seconds<Access::add_float, false>(size, all),
                            access_seconds<Access::add_whole, false>(size, all)};
        },
        [&] { return cuda_accesses(size); });
}

}  // namespace lockstep::insight
