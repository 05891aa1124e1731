#include "apps/als/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::als {

namespace {

constexpr double tolerance = 1e-3;  ///< single precision, in systems whose condition may be in the thousands
constexpr VertexId most = 1000;

/// Adds weight (target - w.h) w to the gradient by h, and the size of that to `size`.
void add_pair(const float* w, const float* h, std::uint32_t rank, double weight, double target,
              std::vector<double>& gradient, std::vector<double>& size) {
    double product = 0;
    for (std::uint32_t j = 0; j < rank; ++j) product += double{w[j]} * double{h[j]};
    for (std::uint32_t j = 0; j < rank; ++j) {
        gradient[j] += weight * (target - product) * double{w[j]};
        size[j] += weight * (target + std::abs(product)) * std::abs(double{w[j]});
    }
}

}  // namespace

std::string problem_of_columns(const Problem& problem, const Factors& factors) {
    const std::uint32_t rank = problem.settings.rank;
    const std::size_t stride = sgd::stride_of(rank);
    const Side& cols = problem.cols;
    const VertexId looked_at = std::min(cols.size(), most);
    // In blocks of components the last one was solved for with all others as they are.
    const auto block = static_cast<std::uint32_t>(problem.settings.block());
    const std::uint32_t first = block ? (rank - 1) / block * block : 0;
    std::vector<double> excess(looked_at);
#pragma omp parallel for schedule(dynamic)
    for (VertexId i = 0; i < looked_at; ++i) {
        const auto v = static_cast<VertexId>(std::uint64_t{i} * cols.size() / looked_at);
        const float* const h = factors.col.data() + v * stride;
        std::vector<double> gradient(rank), size(rank);
        for (const VertexId u : problem.rows.order)  // others have a mean, which nothing was solved with
            add_pair(factors.row.data() + u * stride, h, rank, double{problem.pair_weight}, 0, gradient,
                     size);
        for (EdgeId e = cols.first[v]; e < cols.first[v + std::size_t{1}]; ++e)
            add_pair(factors.row.data() + cols.ends[e] * stride, h, rank,
                     cols.weights.empty() ? 1.0 : double{cols.weights[e]}, 1, gradient, size);
        for (std::uint32_t j = 0; j < rank; ++j) {
            gradient[j] -= double{cols.regularisation[v]} * double{h[j]},
                size[j] += double{cols.regularisation[v]} * std::abs(double{h[j]});
        }
        double off = 0, all = 0;
        for (std::uint32_t j = first; j < rank; ++j)
            off += gradient[j] * gradient[j], all += size[j] * size[j];
        excess[i] = all > 0 ? std::sqrt(off / all) : 0;
    }
    const auto worst = std::max_element(excess.begin(), excess.end());
    if (worst == excess.end() || *worst <= tolerance) return {};
    return fmt::format(
        "the gradient by the vector of column {} is {:.2g} of its terms, where {:.2g} is the most that "
        "rounding explains",
        std::uint64_t(worst - excess.begin()) * cols.size() / looked_at, *worst, tolerance);
}

}  // namespace lockstep::als
