#include "apps/als/driver.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>

#include "apps/sgd/driver.hpp"
#include "apps/sgd/start.hpp"
#include "lockstep/executor/finite.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/memory.hpp"

namespace lockstep::als {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void check_memory(const Graph& graph, const AlsOptions& o) {
    const double vectors = static_cast<double>(graph.rows) + graph.cols;
    const double bytes = 3.0 * sizeof(float) * vectors * o.rank + 40.0 * static_cast<double>(graph.edges());
    if (bytes <= static_cast<double>(physical_memory())) return;
    throw Error(fmt::format(
        "rank {} needs about {:.1f} GB of memory, but this machine has {:.1f} GB; choose a smaller --rank",
        o.rank, bytes / 1e9, static_cast<double>(physical_memory()) / 1e9));
}

/// Sets the vector of every row (user) without an edge to the mean vector of the rows with edges, so that
/// such a user gets the recommendations of an average user. The mean is computed from sums over blocks of a
/// fixed size, so it is bitwise identical for any number of threads.
void fill_unknown(const Side& rows, std::uint32_t rank, Array<float>& vectors) {
    if (rows.order.empty() || rows.order.size() == rows.size()) return;
    constexpr std::size_t block = 4096;
    const std::size_t stride = sgd::stride_of(rank), blocks = (rows.size() + block - 1) / block;
    std::vector<double> sums(blocks * rank);
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < blocks; ++b) {
        for (std::size_t v = b * block; v < std::min<std::size_t>((b + 1) * block, rows.size()); ++v) {
            if (rows.degree(static_cast<VertexId>(v)) == 0) continue;
            for (std::uint32_t j = 0; j < rank; ++j) sums[b * rank + j] += double{vectors[v * stride + j]};
        }
    }
    std::vector<float> mean(rank);
    for (std::uint32_t j = 0; j < rank; ++j) {
        double sum = 0;
        for (std::size_t b = 0; b < blocks; ++b) sum += sums[b * rank + j];
        mean[j] = static_cast<float>(sum / static_cast<double>(rows.order.size()));
    }
#pragma omp parallel for schedule(static)
    for (VertexId v = 0; v < rows.size(); ++v)
        if (rows.degree(v) == 0) std::copy(mean.begin(), mean.end(), vectors.data() + v * stride);
}

/// Runs the sweeps of a run: solves, evaluates, keeps the best factors and stops early.
class Sweeps {
public:
    Sweeps(const Solver& solver, const Problem& problem, const Ranking& ranking, const AlsOptions& options,
           const RunCallbacks& callbacks, Outcome& outcome)
        : solver_(solver),
          problem_(problem),
          ranking_(ranking),
          options_(options),
          callbacks_(callbacks),
          o_(outcome) {}

    void run() {
        for (std::uint64_t sweep = 1; sweep <= options_.sweeps && o_.status == "ok"; ++sweep) {
            SweepRecord record{sweep, solver_.run(), {}, 2 * o_.train_edges, 1};
            o_.execute_seconds += record.seconds;
            evaluate(record);
            o_.sweeps.push_back(record);
            if (callbacks_.on_round) callbacks_.on_round(o_.sweeps.back());
            look_for_end(sweep);
        }
    }

private:
    void evaluate(SweepRecord& record) {
        const bool last = record.sweep == options_.sweeps;
        if (!last && !watches()) return;
        const auto start = Clock::now();
        Factors now = factors();
        if (!are_finite(now.row) || !are_finite(now.col)) {
            o_.status = "diverged";
            o_.message =
                "factors are no longer finite; a larger --regularisation may help; nothing was written";
        } else if (watches()) {
            const Quality quality = ranking_.measure(now, options_.evaluated_users);
            record.metrics = {{"recall", quality.recall}, {"ndcg", quality.ndcg}};
            if (quality.ndcg > best_ || !options_.patience)
                best_ = quality.ndcg, without_ = 0, keep(std::move(now), record.sweep);
            else
                ++without_;
        } else {
            keep(std::move(now), record.sweep);
        }
        o_.evaluate_seconds += seconds_since(start);
    }
    Factors factors() {
        Factors now = solver_.result();
        fill_unknown(problem_.rows, options_.rank, now.row);
        return now;
    }
    bool watches() const { return o_.test_edges > 0; }
    void keep(Factors&& factors, std::uint64_t sweep) {
        o_.factors = std::move(factors), o_.kept_sweep = sweep;
    }
    void look_for_end(std::uint64_t sweep) {
        if (o_.status != "ok") return;
        if (options_.patience && without_ >= options_.patience && sweep < options_.sweeps) {
            o_.status = "stopped-early";
            o_.message = fmt::format("no better NDCG than {:.5f} in {} evaluations: stopped after sweep {}",
                                     best_, without_, sweep);
        } else if (callbacks_.interrupted && callbacks_.interrupted()) {
            o_.status = "interrupted";
            if (!watches()) keep(factors(), sweep);
        }
    }

    const Solver& solver_;
    const Problem& problem_;
    const Ranking& ranking_;
    const AlsOptions& options_;
    const RunCallbacks& callbacks_;
    Outcome& o_;
    double best_ = -1;
    std::uint64_t without_ = 0;
};

}  // namespace

Factors initial_factors(const Problem& problem, std::uint64_t seed) {
    const std::uint32_t rank = problem.settings.rank;
    Factors factors = sgd::initial_factors(problem.rows.size(), problem.cols.size(), rank, 0, seed);
    const auto clear = [&](const Side& side, Array<float>& of) {
        const std::size_t stride = sgd::stride_of(rank);
        for (VertexId v = 0; v < side.size(); ++v)
            if (side.degree(v) == 0) std::fill_n(of.data() + v * stride, stride, 0.0F);
    };
    clear(problem.rows, factors.row), clear(problem.cols, factors.col);
    return factors;
}

std::unique_ptr<Outcome> run_als(const Graph& graph, const sgd::Split& split, const AlsOptions& options,
                                 const RunCallbacks& callbacks) {
    check_memory(graph, options);
    auto outcome = std::make_unique<Outcome>();
    Outcome& o = *outcome;
    const Device device = usable_device(options.device, &o.device_note);
    const int threads = options.threads ? options.threads : omp_get_max_threads();
    const auto start = Clock::now();
    const Problem problem = make_problem(graph, split.held_out, options);
    o.train_edges = problem.edges(), o.test_edges = split.test.size();
    o.weighted = !problem.rows.weights.empty();
    o.mean_weight = problem.weight / static_cast<double>(problem.edges());
    o.factors = initial_factors(problem, options.seed);
    o.plan_seconds = seconds_since(start);
    const auto transfer = Clock::now();
    const Solver solver = on_device(
        device, [&] { return on_cpu(problem, o.factors, threads); },
        [&] { return on_cuda(problem, o.factors); });
    o.transfer_seconds = seconds_since(transfer);
    o.device = device_info(device, options.threads), o.device_bytes = solver.bytes;
    if (callbacks.on_start) callbacks.on_start(o);
    const Ranking ranking(problem, split.test, threads);
    Sweeps(solver, problem, ranking, options, callbacks, o).run();
    if (o.test_edges > 0 && o.status != "diverged") {
        const auto evaluating = Clock::now();
        o.quality = ranking.measure(o.factors, split.test.size());
        o.evaluate_seconds += seconds_since(evaluating);
    }
    o.result_hash = sgd::hash_of(o.factors, options.rank, {});
    return outcome;
}

}  // namespace lockstep::als
