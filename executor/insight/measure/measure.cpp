#include "insight/measure/measure.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "apps/sgd/backend.hpp"
#include "insight/cache.hpp"
#include "insight/measure/plans.hpp"
#include "insight/measure/trials.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/version.hpp"

namespace lockstep::insight {

namespace {

/// Runs `work` three times, and returns the shortest time in seconds.
template <class Work>
double best_of_three(Work work) {
    double best = INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double start = omp_get_wtime();
        work();
        best = std::min(best, omp_get_wtime() - start);
    }
    return std::max(best, 1e-9);
}

/// Returns the number of atomic exchanges per second by `threads` threads. If `spread`, each thread uses its
/// own cache line; otherwise all use the same one.
double atomic_rate(int threads, bool spread) {
    struct alignas(64) Line {
        std::atomic<unsigned> word{0};
    };
    constexpr unsigned count = 200000;
    std::vector<Line> lines(static_cast<std::size_t>(threads));
    const double seconds = best_of_three([&] {
#pragma omp parallel num_threads(threads)
        {
            std::atomic<unsigned>& word =
                lines[spread ? static_cast<std::size_t>(omp_get_thread_num()) : 0].word;
            for (unsigned i = 0; i < count; ++i) word.exchange(i, std::memory_order_acq_rel);
        }
    });
    return static_cast<double>(threads) * count / seconds;
}

double barrier_seconds(int threads) {
    constexpr int count = 2000;
    const double seconds = best_of_three([&] {
#pragma omp parallel num_threads(threads)
        for (int i = 0; i < count; ++i) {
#pragma omp barrier
        }
    });
    return seconds / count;
}

double copy_rate(int threads) {
    constexpr std::size_t bytes = std::size_t{1} << 27;
    const std::vector<char> from(bytes, 1);
    std::vector<char> to(bytes);
    const double seconds = best_of_three([&] {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int part = 0; part < 64; ++part)
            std::memcpy(to.data() + part * (bytes / 64), from.data() + part * (bytes / 64), bytes / 64);
    });
    return 2.0 * bytes / seconds;
}

double cache_bytes() {
    const long third = sysconf(_SC_LEVEL3_CACHE_SIZE), second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return static_cast<double>(third > 0 ? third : second > 0 ? second : 1L << 20);
}

}  // namespace

void measure_cpu(Probe& p, int threads, bool quick) {
    p.device = cpu_device(threads);
    p.cache_bytes = cache_bytes();
    p.copy_rate = copy_rate(threads);
    for (int t = 1;; t = std::min(2 * t, threads)) {
        p.atomics_same.x.push_back(t), p.atomics_spread.x.push_back(t), p.barrier_by_blocks.x.push_back(t);
        p.atomics_same.y.push_back(atomic_rate(t, false)), p.atomics_spread.y.push_back(atomic_rate(t, true));
        p.barrier_by_blocks.y.push_back(barrier_seconds(t));
        if (t == threads) break;
    }
    p.barrier = p.barrier_by_blocks.y.back();
    constexpr int regions = 1000;
    p.launch = best_of_three([&] {
                   for (int i = 0; i < regions; ++i) {
#pragma omp parallel num_threads(threads)
                       std::atomic_signal_fence(std::memory_order_seq_cst);
                   }
               }) /
               regions;
    for (DependentUpdate& u : p.updates) {
        constexpr EdgeId edges = 1 << 15;
        const auto time = [&](bool locked, VertexId rows) {
            return sweep_seconds(chain_plan(locked, edges, rows), u.rank, Device::cpu, 1, quick) / edges;
        };
        u.near = time(false, 64);
        u.shared = std::max(u.near, time(false, 1 << 15));
        u.locked = std::max(u.shared, time(true, 1 << 15));
    }
}

void check_rank(std::uint32_t rank) {
    if (rank < 1 || rank > sgd::max_rank)
        throw Error(Failure::usage, fmt::format("the rank must be 1 to {}, not {}", sgd::max_rank, rank));
}

Probe measure(Device device, std::uint32_t rank, int threads, bool quick) {
    check_rank(rank);
    Probe p;
    p.program = program_version("lockstep-probe");
    p.measured = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    p.rank = rank;
    for (const std::uint32_t r : probed_ranks) p.updates.push_back({r, 0, 0, 0});
    if (std::find(std::begin(probed_ranks), std::end(probed_ranks), rank) == std::end(probed_ranks))
        p.updates.push_back({rank, 0, 0, 0});
    const int all = threads > 0 ? threads : omp_get_max_threads();
    if (device == Device::cuda) {
        usable_device(device, nullptr);  // throws Error (no_device) if there is no GPU
        measure_cuda(p);
    } else {
        measure_cpu(p, all, quick);
    }
    run_trials(p, device, all, quick);
    return p;
}

Probe cached_or_measured(Device device, std::uint32_t rank, int threads, bool fresh, bool quick,
                         const std::function<void(const std::string&)>& note) {
    check_rank(rank);
    const DeviceInfo info = device_info(device, threads);
    const std::filesystem::path path = cache_file(info, rank);
    if (!fresh && is_cached(path)) {
        Probe probe = read_probe(path);
        const auto reason = foreign(probe, info, rank);
        if (!reason) return note("measured earlier; --fresh measures again (" + path.string() + ")"), probe;
        note(fmt::format("{} is not used: {}", path.string(), *reason));
    }
    note("measuring, which takes some seconds");
    Probe probe = measure(device, rank, threads, quick);
    try {
        write_probe(path, probe);
        note("stored in " + path.string());
    } catch (const OutputError& e) {
        note(std::string("not stored: ") + e.what());
    }
    return probe;
}

#if !defined(LOCKSTEP_HAS_CUDA)
void measure_cuda(Probe&) { usable_device(Device::cuda, nullptr); }
#endif

}  // namespace lockstep::insight
