#include "apps/sgd/biased_backend.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "lockstep/executor/finite.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

BiasResiduals::BiasResiduals(EdgePlan& plan, std::vector<Triple>& test)
    : plan_(plan), test_(test), plan_weights_(std::move(plan.value)), test_weights_(test.size()) {
    plan_.value = Array<float>(plan_weights_.size());
    std::ranges::transform(test, test_weights_.begin(), &Triple::value);
}

std::optional<std::pair<float, float>> BiasResiduals::scale() const {
    constexpr double rare = 1e-3, none = std::numeric_limits<double>::infinity();
    double least = none, largest = -none;
    const EdgeId edges = plan_weights_.size();
#pragma omp parallel for simd schedule(static) reduction(min : least) reduction(max : largest)
    for (EdgeId e = 0; e < edges; ++e)
        least = std::min(least, double{plan_weights_[e]}),
        largest = std::max(largest, double{plan_weights_[e]});
    largest = ranks().most(largest), least = -ranks().most(-least);
    EdgeId of_least = 0, of_largest = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : of_least, of_largest)
    for (EdgeId e = 0; e < edges; ++e)
        of_least += plan_weights_[e] == least, of_largest += plan_weights_[e] == largest;
    EdgeId counts[] = {of_least, of_largest, edges};
    ranks().sum(counts);
    const double enough = rare * static_cast<double>(counts[2]);
    const auto is_end = [&](EdgeId count) { return static_cast<double>(count) > enough; };
    if (!(least < largest) || !is_end(counts[0]) || !is_end(counts[1])) return {};
    return std::pair(static_cast<float>(least), static_cast<float>(largest));
}

void BiasResiduals::subtract_biases(const Biases& biases) {
    const auto left = [&](VertexId u, VertexId v, float weight) {
        return static_cast<float>(static_cast<double>(weight) - biases.of(u, v));
    };
#pragma omp parallel for schedule(static)
    for (EdgeId e = 0; e < plan_.edges(); ++e)
        plan_.value[e] = left(plan_.row[e], plan_.col[e], plan_weights_[e]);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < test_.size(); ++i)
        test_[i].value = left(test_[i].row, test_[i].col, test_weights_[i]);
}

SweepCounts BiasedBackend::sweep(const Step& step, double* seconds) {
    const SweepCounts counts = backend_->sweep(step, seconds);
    // The biases are fitted again after first_fit times 1, 2, 4, … sweeps. Later fits improve them less, and
    // each fit takes as long as several sweeps.
    if (!first_fit_ || ++sweeps_ % first_fit_ != 0 || !std::has_single_bit(sweeps_ / first_fit_))
        return counts;
    const double began = omp_get_wtime();
    const FactorsView factors = backend_->view(memory_);
    if (are_finite(factors.row) && are_finite(factors.col)) take(fit_(factors));
    fit_seconds_ += omp_get_wtime() - began;
    return counts;
}

void BiasedBackend::take(const Biases& biases) {
    if (biases == biases_) return;
    biases_ = biases;
    remainder_.subtract_biases(biases_);
    backend_->reload();
}

}  // namespace lockstep::sgd
