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
          col_(initial.col.begin(), initial.col.end()) {}

    SweepCounts sweep(const Step& step, double* seconds) override {
        const double start = omp_get_wtime();
        const EdgePlan& plan = problem_.plan;
        for (EdgeId e = 0; e < plan.edges(); ++e) {
            double* w = &row_[plan.row[e] * stride_];
            double* h = &col_[plan.col[e] * stride_];
            const double error = plan.value[e] - predict(plan.row[e], plan.col[e]);
            const double rate = step.rate, keep = step.keep;
            for (std::size_t i = 0; i < problem_.rank; ++i) {
                const double old_w = w[i], old_h = h[i];
                w[i] = std::max<double>(problem_.floor, keep * old_w + rate * error * old_h);
                h[i] = std::max<double>(problem_.floor, keep * old_h + rate * error * old_w);
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
    void factors(Factors& to) override { to.row = narrow_factors(row_), to.col = narrow_factors(col_); }
    void save() override { saved_row_ = row_, saved_col_ = col_; }
    void restore() override { row_ = saved_row_, col_ = saved_col_; }
    Factors copy_saved_factors() override { return {narrow_factors(saved_row_), narrow_factors(saved_col_)}; }
    void set(const Factors& factors) override {
        row_.assign(factors.row.begin(), factors.row.end()),
            col_.assign(factors.col.begin(), factors.col.end());
    }
    DeviceInfo device() const override { return {"reference", "serial, double precision", 1, ""}; }
    EdgeId device_bytes() const override { return problem_.plan.bytes() + 16 * (row_.size() + col_.size()); }

private:
    static double squared(double x) { return x * x; }
    double predict(VertexId u, VertexId v) const {
        const double* w = &row_[u * stride_];
        const double* h = &col_[v * stride_];
        double dot = 0;
        for (std::size_t i = 0; i < problem_.rank; ++i) dot += w[i] * h[i];
        return dot;
    }

    static Array<float> narrow_factors(const std::vector<double>& factors) {
        Array<float> floats(factors.size());
        std::ranges::transform(factors, floats.begin(), [](double f) { return static_cast<float>(f); });
        return floats;
    }

    const Problem problem_;
    std::size_t stride_;
    std::vector<double> row_, col_, saved_row_, saved_col_;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(const Problem& problem, const Factors& initial) {
    return std::make_unique<ReferenceBackend>(problem, initial);
}

}  // namespace lockstep::sgd
