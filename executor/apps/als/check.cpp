#include "apps/als/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace lockstep::als {

namespace {

/// Relative tolerance of the checks. Factors have single precision, and the condition number of a system may
/// be in the thousands.
constexpr double tolerance = 1e-3;
/// Minimum size of a component for which `tolerance` is relative. A smaller component may have an absolute
/// error of the smallest normal float, since the weights of one side may be 1e-40 times those of the other.
constexpr double underflow = double{std::numeric_limits<float>::min()} / tolerance;
constexpr VertexId most = 1000;

/// Adds weight (target - w.h) w, the contribution of one pair to half the negative gradient by h, to
/// `gradient`, and the magnitudes of its terms to `size`.
void add_pair(const float* w, const float* h, std::uint32_t rank, double weight, double target,
              std::vector<double>& gradient, std::vector<double>& size) {
    double product = 0, smallest = 0;
    for (std::uint32_t j = 0; j < rank; ++j)
        product += double{w[j]} * double{h[j]}, smallest += std::abs(double{w[j]}) * underflow;
    for (std::uint32_t j = 0; j < rank; ++j) {
        gradient[j] += weight * (target - product) * double{w[j]};
        size[j] += weight * (target + std::max(std::abs(product), smallest)) * std::abs(double{w[j]});
    }
}

/// Adds r x x^T to `sum` (rank x rank) for vertices with edges, where x is the vector and r the
/// regularisation of the vertex. Uses the first `count` vertices, or all if there are fewer.
void add_outer_products(const Side& side, const Array<float>& factors, std::uint32_t rank, std::size_t count,
                        std::vector<double>& sum) {
    const std::size_t stride = sgd::stride_of(rank);
    for (const VertexId v : std::span(side.order).first(std::min(count, side.order.size()))) {
        const float* const x = factors.data() + v * stride;
        for (std::uint32_t i = 0; i < rank; ++i)
            for (std::uint32_t j = 0; j < rank; ++j)
                sum[i * rank + j] += double{side.regularisation[v]} * double{x[i]} * double{x[j]};
    }
}

/// Returns the dimension of the space that the vectors span: the first `count` vectors of each side. A
/// Cholesky factorization with complete pivoting finds it. A dimension counts if its pivot is larger than
/// rounding to single precision could cause.
std::uint32_t used_dimensions(const Problem& problem, const Factors& factors, std::size_t count) {
    constexpr double rounding = 1e-12;  // tolerance, relative to the largest squared length
    const std::uint32_t rank = problem.settings.rank;
    std::vector<double> a(std::size_t{rank} * rank);
    add_outer_products(problem.rows, factors.row, rank, count, a);
    add_outer_products(problem.cols, factors.col, rank, count, a);
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return a[i * rank + j]; };
    std::vector<bool> done(rank);
    double largest = 0;
    for (std::uint32_t used = 0; used < rank; ++used) {
        std::uint32_t p = rank;
        for (std::uint32_t i = 0; i < rank; ++i)
            if (!done[i] && (p == rank || at(i, i) > at(p, p))) p = i;
        largest = std::max(largest, at(p, p));
        if (!(at(p, p) > rounding * largest)) return used;
        done[p] = true;
        for (std::uint32_t i = 0; i < rank; ++i) {
            if (done[i]) continue;
            const double factor = at(i, p) / at(p, p);
            for (std::uint32_t j = 0; j < rank; ++j)
                if (!done[j]) at(i, j) -= factor * at(p, j);
        }
    }
    return rank;
}

/// A matrix with one entry per pair of a row and a column: half the negative derivative of the objective by
/// the prediction p of the pair, divided by the square roots of the regularisations of the row and the
/// column. The derivative is w (1 - p) for an edge, minus a p for every pair. The matrix is never stored; it
/// is only multiplied by vectors.
class Residuals {
public:
    Residuals(const Problem& problem, const Factors& factors)
        : problem_(problem), rows_(problem.rows, factors.row), cols_(problem.cols, factors.col) {
        rows_.find_misses(cols_, problem.settings.rank), cols_.find_misses(rows_, problem.settings.rank);
    }

    /// Returns a lower bound of the largest singular value, computed with the power method, which stops as
    /// soon as the bound is greater than `enough`.
    double largest_singular_value(double enough) const {
        constexpr int steps = 100;
        std::mt19937 random(1);
        std::vector<double> v(cols_.side.size());
        for (double& x : v) x = static_cast<double>(random()) / 0x1p31 - 1;
        double value = 0;
        for (int step = 0; step < steps && value <= enough; ++step) {
            const double length = norm(v);
            if (length == 0) return 0;
            for (double& x : v) x /= length;
            const std::vector<double> u = product(rows_, cols_, v);
            value = norm(u);
            v = product(cols_, rows_, u);
        }
        return value;
    }

private:
    /// The vertices of one side, their vectors, and w (1 - p) of each edge in the order of this side.
    struct SideData {
        const Side& side;
        const Array<float>& factors;
        std::vector<double> misses;

        SideData(const Side& s, const Array<float>& f) : side(s), factors(f), misses(s.ends.size()) {}
        const float* vector(VertexId v, std::uint32_t rank) const {
            return factors.data() + v * sgd::stride_of(rank);
        }
        void find_misses(const SideData& other, std::uint32_t rank) {
#pragma omp parallel for schedule(dynamic, 64)
            for (VertexId v = 0; v < side.size(); ++v) {
                for (EdgeId e = side.first[v]; e < side.first[v + std::size_t{1}]; ++e) {
                    const float *const x = vector(v, rank), *const y = other.vector(side.ends[e], rank);
                    double p = 0;
                    for (std::uint32_t j = 0; j < rank; ++j) p += double{x[j]} * double{y[j]};
                    misses[e] = (side.weights.empty() ? 1.0 : double{side.weights[e]}) * (1 - p);
                }
            }
        }
    };
    static double norm(const std::vector<double>& v) {
        double sum = 0;
        for (const double x : v) sum += x * x;
        return std::sqrt(sum);
    }
    /// Returns the product of the matrix, with the rows `to` and the columns `from`, and the vector v.
    std::vector<double> product(const SideData& to, const SideData& from, std::vector<double> v) const {
        const std::uint32_t rank = problem_.settings.rank;
        std::vector<double> sum(rank), found(to.side.size());
        for (VertexId i = 0; i < from.side.size(); ++i)
            v[i] /= std::sqrt(double{from.side.regularisation[i]});
        for (const VertexId i : from.side.order)
            for (std::uint32_t j = 0; j < rank; ++j) sum[j] += v[i] * double{from.vector(i, rank)[j]};
#pragma omp parallel for schedule(dynamic, 64)
        for (std::size_t k = 0; k < to.side.order.size(); ++k) {
            const VertexId i = to.side.order[k];
            double all = 0;
            for (EdgeId e = to.side.first[i]; e < to.side.first[i + std::size_t{1}]; ++e)
                all += to.misses[e] * v[to.side.ends[e]];
            for (std::uint32_t j = 0; j < rank; ++j)
                all -= double{problem_.pair_weight} * sum[j] * double{to.vector(i, rank)[j]};
            found[i] = all / std::sqrt(double{to.side.regularisation[i]});
        }
        return found;
    }

    const Problem& problem_;
    SideData rows_, cols_;
};

}  // namespace

std::string problem_of_dimensions(const Problem& problem, const Factors& factors) {
    const std::uint32_t rank = problem.settings.rank;
    const std::size_t sample = std::size_t{16} * rank,
                      all = std::max(problem.rows.size(), problem.cols.size());
    if (used_dimensions(problem, factors, sample) == rank) return {};
    const std::uint32_t used = used_dimensions(problem, factors, all);
    if (used == rank) return {};
    const double value = Residuals(problem, factors).largest_singular_value(1 + tolerance);
    if (value <= 1 + tolerance) return {};
    return fmt::format(
        "the vectors of rank {} use only {} dimensions, although another dimension would lower the "
        "objective: the largest singular value of the residuals is at least {:.4g} times the regularisation; "
        "expected at most 1 at an optimum",
        rank, used, value);
}

std::string problem_of_columns(const Problem& problem, const Factors& factors) {
    const std::uint32_t rank = problem.settings.rank;
    const std::size_t stride = sgd::stride_of(rank);
    const Side& cols = problem.cols;
    const VertexId looked_at = std::min(cols.size(), most);
    // If vectors are solved for in blocks of components, only the gradient by the last block is zero, because
    // later blocks changed after the earlier ones were solved for.
    const auto block = static_cast<std::uint32_t>(problem.settings.block());
    const std::uint32_t first = block ? (rank - 1) / block * block : 0;
    std::vector<double> excess(looked_at);
#pragma omp parallel for schedule(dynamic)
    for (VertexId i = 0; i < looked_at; ++i) {
        const auto v = static_cast<VertexId>(std::uint64_t{i} * cols.size() / looked_at);
        const float* const h = factors.col.data() + v * stride;
        std::vector<double> gradient(rank), size(rank);
        // vectors of rows without edges were 0 while the systems were solved
        for (const VertexId u : problem.rows.order)
            add_pair(factors.row.data() + u * stride, h, rank, double{problem.pair_weight}, 0, gradient,
                     size);
        for (EdgeId e = cols.first[v]; e < cols.first[v + std::size_t{1}]; ++e)
            add_pair(factors.row.data() + cols.ends[e] * stride, h, rank,
                     cols.weights.empty() ? 1.0 : double{cols.weights[e]}, 1, gradient, size);
        for (std::uint32_t j = 0; j < rank; ++j) {
            gradient[j] -= double{cols.regularisation[v]} * double{h[j]},
                size[j] += double{cols.regularisation[v]} * std::max(std::abs(double{h[j]}), underflow);
        }
        double off = 0, all = 0;
        for (std::uint32_t j = first; j < rank; ++j)
            off += gradient[j] * gradient[j], all += size[j] * size[j];
        excess[i] = all > 0 ? std::sqrt(off / all) : 0;
    }
    const auto worst = std::max_element(excess.begin(), excess.end());
    if (worst == excess.end() || *worst <= tolerance) return {};
    return fmt::format(
        "the gradient by the vector of column {} is {:.2g} of the sum of its terms; expected at most {:.2g}, "
        "the bound of the rounding error",
        std::uint64_t(worst - excess.begin()) * cols.size() / looked_at, *worst, tolerance);
}

}  // namespace lockstep::als
