// SGD on the CPU: the operator with all lanes in one thread. Compiled with FMA where the architecture
// has it (CMakeLists.txt); std::fma gives the same bits everywhere.
#include <omp.h>

#include <cmath>

#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/operator.hpp"
#include "lockstep/executor/cpu/traversals.hpp"

namespace lockstep::sgd {

namespace {

/// Sum over `edges` of squared_error(e): chunks of `error_chunk` edges in order, then the chunks in order.
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

template <int Lanes, int Chunks>
class CpuBackend final : public Backend {
    using Operator = SgdOperator<HostLanes<Lanes>, Chunks>;

public:
    CpuBackend(const Problem& problem, const Factors& initial, int threads)
        : problem_(problem),
          factors_(initial),
          locks_(problem.plan.rows, problem.plan.cols),
          threads_(threads) {}

    SweepCounts sweep(const Step& step, double* seconds) override {
        const double start = omp_get_wtime();
        const Operator op = make_operator(step);
        const auto run = [&](auto with) { return cpu::execute(problem_.plan, with, locks_, threads_); };
        // Without the tests that this run does not need.
        using Same = HostLanes<Lanes>;
        const bool full = stride_of(problem_.rank) == std::size_t{4} * Lanes * Chunks;
        const SweepCounts counts = !std::isinf(problem_.floor) ? run(op.template on<Same, true, false>())
                                   : full                      ? run(op.template on<Same, false, true>())
                                                               : run(op.template on<Same, false, false>());
        *seconds = omp_get_wtime() - start;
        return counts;
    }
    double train_squared_error() override {
        const Plan& plan = problem_.plan;
        const Operator op = make_operator({});
        return chunked_sum(plan.edges(), threads_, [&](EdgeId e) {
            return squared_error(op, plan.row[e], plan.col[e], plan.value[e]);
        });
    }
    double test_squared_error() override {
        const Operator op = make_operator({});
        return chunked_sum(problem_.test.size(), threads_, [&](EdgeId e) {
            const Triple& t = problem_.test[e];
            return squared_error(op, t.row, t.col, t.value);
        });
    }
    Factors factors() override { return factors_; }
    void save() override { saved_ = factors_; }
    void restore() override { factors_ = saved_; }
    DeviceInfo device() const override { return cpu_device(threads_); }
    double transfer_seconds() const override { return 0; }
    EdgeId device_bytes() const override {
        return problem_.plan.bytes() + 4 * (factors_.row.size() + factors_.col.size());
    }

private:
    Operator make_operator(const Step& step) {
        return {factors_.row.data(), factors_.col.data(), static_cast<int>(stride_of(problem_.rank) / 4),
                step.rate,           step.keep,           problem_.floor};
    }
    static double squared_error(const Operator& op, VertexId u, VertexId v, float rating) {
        const double error =
            static_cast<double>(rating) - static_cast<double>(Operator::dot(op.load_row(u), op.load_col(v)));
        return error * error;
    }

    const Problem problem_;
    Factors factors_, saved_;
    cpu::Locks locks_;
    int threads_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const Factors& initial, int threads) {
#if defined(__x86_64__) && defined(__FMA__)
    if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2")) {
        throw Error(
            "this build needs a processor with AVX2 and FMA; configure with -DLOCKSTEP_CPU_BASELINE=ON for "
            "this one");
    }
#endif
    return with_lanes(problem.rank, [&]<int Lanes, int Chunks>() -> std::unique_ptr<Backend> {
        return std::make_unique<CpuBackend<Lanes, Chunks>>(problem, initial, threads);
    });
}

}  // namespace lockstep::sgd
