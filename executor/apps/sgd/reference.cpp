#include "apps/sgd/reference.hpp"

#include <omp.h>

#include <algorithm>

namespace lockstep::sgd {

namespace {

class ReferenceBackend final : public Backend {
public:
    ReferenceBackend(const Problem& problem, const Factors& initial)
        : problem_(problem),
          stride_(stride_of(problem.rank)),
          row_(initial.row.begin(), initial.row.end()),
          col_(initial.col.begin(), initial.col.end()) {
        if (!problem.adaptive) return;
        const EdgePlan& plan = problem.plan;
        row_edges_ = edges_of(plan.row, plan.rows), col_edges_ = edges_of(plan.col, plan.cols);
    }

    SweepCounts sweep(const Step& step, double* seconds) override {
        const double start = omp_get_wtime();
        const EdgePlan& plan = problem_.plan;
        for (EdgeId e = 0; e < plan.edges(); ++e) {
            double* w = &row_[plan.row[e] * stride_];
            double* h = &col_[plan.col[e] * stride_];
            const double error = plan.value[e] - predict(plan.row[e], plan.col[e]);
            const double share_w = share(step, row_edges_, plan.row[e]),
                         share_h = share(step, col_edges_, plan.col[e]),
                         loss = 1 - static_cast<double>(step.keep);
            const double rate_w = share_w * step.rate, keep_w = 1 - share_w * loss,
                         rate_h = share_h * step.rate, keep_h = 1 - share_h * loss;
            for (std::size_t i = 0; i < problem_.rank; ++i) {
                const double old_w = w[i], old_h = h[i];
                w[i] = std::max<double>(problem_.floor, keep_w * old_w + rate_w * error * old_h);
                h[i] = std::max<double>(problem_.floor, keep_h * old_h + rate_h * error * old_w);
            }
        }
        *seconds = omp_get_wtime() - start;
        return {plan.edges(), 1};
    }
    double train_squared_error() override {
        double sum = 0;
        const EdgePlan& plan = problem_.plan;
        for (EdgeId e = 0; e < plan.edges(); ++e)
            sum += squared(plan.value[e] - predict(plan.row[e], plan.col[e]));
        return sum;
    }
    double test_squared_error() override {
        double sum = 0;
        for (const Triple& t : problem_.test) sum += squared(t.value - predict(t.row, t.col));
        return sum;
    }
    Factors factors() override { return {{row_.begin(), row_.end()}, {col_.begin(), col_.end()}}; }
    void save() override { saved_row_ = row_, saved_col_ = col_; }
    void restore() override { row_ = saved_row_, col_ = saved_col_; }
    Factors saved() override {
        return {{saved_row_.begin(), saved_row_.end()}, {saved_col_.begin(), saved_col_.end()}};
    }
    void set(const Factors& factors) override {
        row_.assign(factors.row.begin(), factors.row.end()),
            col_.assign(factors.col.begin(), factors.col.end());
    }
    DeviceInfo device() const override { return {"reference", "serial, double precision", 1, ""}; }
    double transfer_seconds() const override { return 0; }
    EdgeId device_bytes() const override { return problem_.plan.bytes() + 16 * (row_.size() + col_.size()); }

private:
    static double squared(double x) { return x * x; }
    double share(const Step& step, const std::vector<double>& edges, VertexId v) const {
        return problem_.adaptive ? share_of_rate(step.growth, edges[v]) : 1;
    }
    double predict(VertexId u, VertexId v) const {
        const double* w = &row_[u * stride_];
        const double* h = &col_[v * stride_];
        double dot = 0;
        for (std::size_t i = 0; i < problem_.rank; ++i) dot += w[i] * h[i];
        return dot;
    }

    const Problem problem_;
    std::size_t stride_;
    std::vector<double> row_, col_, saved_row_, saved_col_;
    std::vector<double> row_edges_, col_edges_;  // of adaptive rates
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(const Problem& problem, const Factors& initial) {
    return std::make_unique<ReferenceBackend>(problem, initial);
}

}  // namespace lockstep::sgd
