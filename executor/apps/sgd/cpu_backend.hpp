// The CPU backend of SGD. One thread has all lanes of the operator. The code is compiled with FMA
// instructions if the architecture has them (CMakeLists.txt); otherwise std::fma gives bitwise identical
// results. Each number of lanes is instantiated in its own file (cpu_lanes.cpp.in), so that the files compile
// in parallel.
#pragma once

#include <omp.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cmath>

#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/error_share.hpp"
#include "apps/sgd/operator.hpp"
#include "lockstep/executor/edge/execute.hpp"
#include "lockstep/executor/edge/tiled/shards.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep::sgd {

/// Returns the sum of squared_error(e) over all edges, in a fixed order: the errors of each chunk of
/// `error_chunk` edges are added first, then the sums of the chunks.
template <class SquaredError>
double chunked_sum(EdgeId edges, int threads, SquaredError squared_error) {
    const EdgeId chunks = (edges + error_chunk - 1) / error_chunk;
    std::vector<double> partial(chunks);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (EdgeId c = 0; c < chunks; ++c) {
        double sum = 0;
        for (EdgeId e = c * error_chunk; e < std::min(edges, (c + 1) * error_chunk); ++e)
            sum += squared_error(e);
        partial[c] = sum;
    }
    double sum = 0;
    for (const double p : partial) sum += p;
    return sum;
}

/// Returns for each range of edges the sum of squared_error(e), added in edge order. Range i is [begins[i],
/// begins[i + 1]). Ranges are short, so one thread computes each sum.
template <class SquaredError>
std::vector<double> sums_of(const std::vector<EdgeId>& begins, int threads, SquaredError squared_error) {
    std::vector<double> sums(begins.size() - 1);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (EdgeId i = 0; i < sums.size(); ++i) {
        double sum = 0;
        for (EdgeId e = begins[i]; e < begins[i + 1]; ++e) sum += squared_error(e);
        sums[i] = sum;
    }
    return sums;
}

/// An allocator for arrays of factor vectors. Arrays are aligned to cache lines, so that a vector whose size
/// is a multiple of a line occupies no additional line. Arrays of 2 MiB or more are aligned to huge pages,
/// and huge pages are requested for them: vectors are accessed in random order (512 bytes each at rank 128 in
/// single precision), so with small pages almost every access would also miss the TLB.
template <class T>
struct FactorAllocator : UninitializedAllocator<T> {
    template <class U>
    struct rebind {
        using other = FactorAllocator<U>;
    };
    static std::align_val_t alignment(std::size_t n) {
        constexpr std::size_t line = 64, huge = std::size_t{1} << 21;
        return std::align_val_t{n * sizeof(T) < huge ? line : huge};
    }
    T* allocate(std::size_t n) {
        void* const memory = ::operator new(n * sizeof(T), alignment(n));
#if defined(__linux__)
        // The request is a hint, so its failure is ignored.
        if (n * sizeof(T) >= std::size_t{1} << 21) madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n)); }
};
template <class T>
using AlignedVector = std::vector<T, FactorAllocator<T>>;

template <class Element, int Lanes, int Chunks>
class CpuBackend final : public Backend {
    template <bool Clips, bool Full>
    using Operator = SgdOperator<HostLanes<Lanes>, Chunks, Clips, Full, Element>;

public:
    CpuBackend(const Problem& problem, const Factors& initial, int threads)
        : problem_(problem), factors_(stored_copy(initial)), locks_(problem.plan), threads_(threads) {
        if (!problem.shared) return;
        tiled_ = &std::get<TiledPlan>(problem.plan.walk);
        train_ = plan_share(*tiled_), test_ = slice_share(problem.test.size());
    }

    SweepCounts sweep(const Step& step, double* seconds) override {
        const double start = omp_get_wtime();
        SweepCounts counts;
        const auto run = [&](auto op) {
            counts = tiled_ ? sweep_shared(op) : cpu::execute(problem_.plan, op, locks_, threads_);
        };
        if (std::isinf(problem_.floor)) {
            with_operator(step, run);
        } else {
            run(make_operator<true, false>(step));
        }
        *seconds = ranks().most(omp_get_wtime() - start);
        return counts;
    }
    double train_squared_error() override {
        const EdgePlan& plan = problem_.plan;
        return squared_error(plan.edges(), train_, [&](EdgeId e) {
            return Triple{plan.row[e], plan.col[e], plan.value[e]};
        });
    }
    double test_squared_error() override {
        return squared_error(problem_.test.size(), test_, [&](EdgeId e) { return problem_.test[e]; });
    }
    void factors(Factors& to) override {
        gather();
        widen(factors_, to);
    }
    FactorsView view(Factors& memory) override {
        if constexpr (std::is_same_v<Element, float>) {
            gather();
            return {factors_.row, factors_.col};
        }
        return Backend::view(memory);
    }
    void save() override {
        gather();
        copy(factors_, saved_);
    }
    void restore() override { copy(saved_, factors_), gathered_ = true; }
    Factors copy_saved_factors() override {
        Factors copy;
        widen(saved_, copy);
        return copy;
    }
    void set(const Factors& factors) override { factors_ = stored_copy(factors), gathered_ = true; }
    DeviceInfo device() const override { return cpu_device(threads_, ranks().count()); }
    EdgeId device_bytes() const override {
        return problem_.plan.bytes() + sizeof(Element) * (factors_.row.size() + factors_.col.size());
    }

private:
    template <bool Clips, bool Full>
    Operator<Clips, Full> make_operator(const Step& step) {
        return {
            {},        factors_.row.data(), factors_.col.data(), static_cast<int>(chunks_of(problem_.rank)),
            step.rate, step.keep,           problem_.floor};
    }
    /// Calls run(op) with an operator that does not clip factors. If all vectors have the maximum number of
    /// chunks, the operator does not test for missing chunks either.
    template <class Run>
    void with_operator(const Step& step, Run run) {
        if (chunks_of(problem_.rank) == Lanes * Chunks) {
            run(make_operator<false, true>(step));
        } else {
            run(make_operator<false, false>(step));
        }
    }
    template <class TripleAt>
    double squared_error(EdgeId edges, const ErrorShare& share, TripleAt triple) {
        gather();
        double sum = 0;
        with_operator({}, [&](auto op) {
            const auto of = [&](EdgeId e) {
                if constexpr (requires { op.fetch_ahead; }) {
                    if (e + op.fetch_ahead < edges) {
                        const Triple ahead = triple(e + op.fetch_ahead);
                        op.fetch_to_read(ahead.row, ahead.col);
                    }
                }
                const Triple t = triple(e);
                const double error =
                    static_cast<double>(t.value) - static_cast<double>(op.dot_of(t.row, t.col));
                return error * error;
            };
            sum = tiled_ ? share.total(sums_of(share.begins(), threads_, of))
                         : chunked_sum(edges, threads_, of);
        });
        return sum;
    }

    cpu::Shards shards() {
        auto *rows = reinterpret_cast<std::byte*>(factors_.row.data()),
             *cols = reinterpret_cast<std::byte*>(factors_.col.data());
        if (tiled_->turned) std::swap(rows, cols);
        return {*tiled_, rows, cols, sizeof(Element) * stride_of<Element>(problem_.rank)};
    }
    template <class Op>
    SweepCounts sweep_shared(const Op& op) {
        cpu::Shards vectors = shards();
        const EdgeId first = vectors.first_share(ranks().rank()),
                     last = vectors.first_share(ranks().rank() + 1);
        EdgeId updates = 0;
        for (EdgeId s = 0; s < tiled_->grid.strata(); ++s) {
            updates += cpu::run_tiles(problem_.plan, *tiled_, op, {first, last, s, s + 1}, threads_);
            vectors.exchange_groups(s);
        }
        gathered_ = false;
        return {ranks().sum(updates), 1};
    }
    /// Copies the factors of all vertices from the other processes to this one, if several processes share
    /// the run and this was not done since the last sweep.
    void gather() {
        if (!std::exchange(gathered_, true)) shards().gather();
    }

    struct StoredFactors {
        AlignedVector<Element> row, col;
    };
    // Conversion to storage precision. Factors of many vertices are gigabytes, so all threads convert them
    // and are the first to write to the new pages.
    StoredFactors stored_copy(const Factors& factors) const {
        return {narrow_factors<AlignedVector<Element>>(factors.row, problem_.rank),
                narrow_factors<AlignedVector<Element>>(factors.col, problem_.rank)};
    }
    void widen(const StoredFactors& of, Factors& to) const {
        widen_factors(of.row, problem_.rank, to.row), widen_factors(of.col, problem_.rank, to.col);
    }
    static void copy(const StoredFactors& from, StoredFactors& to) {
        for (const auto side : {&StoredFactors::row, &StoredFactors::col}) {
            (to.*side).resize((from.*side).size());
#pragma omp parallel for simd schedule(static)
            for (std::size_t i = 0; i < (from.*side).size(); ++i) (to.*side)[i] = (from.*side)[i];
        }
    }

    const Problem problem_;
    StoredFactors factors_, saved_;
    cpu::Locks locks_;
    int threads_;
    const TiledPlan* tiled_ = nullptr;  // the plan in a run of several processes; otherwise null
    ErrorShare train_, test_;           // shares of the sums of errors in a run of several processes
    bool gathered_ = true;
};

template <class Element, int Lanes, int Chunks>
std::unique_ptr<Backend> make_cpu_backend_of(const Problem& problem, const Factors& initial, int threads) {
    return std::make_unique<CpuBackend<Element, Lanes, Chunks>>(problem, initial, threads);
}

}  // namespace lockstep::sgd
