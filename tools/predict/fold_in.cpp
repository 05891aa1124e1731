#include "fold_in.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "cli.hpp"
#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/id_match.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::predict {
namespace {

/// A symmetric system of `size` unknowns; of the matrix the lower triangle is kept.
class Normal {
public:
    explicit Normal(std::size_t size) : size_(size), matrix_(size * size), right_(size), solution_(size) {}

    void clear(double diagonal) {
        std::fill(matrix_.begin(), matrix_.end(), 0);
        std::fill(right_.begin(), right_.end(), 0);
        std::fill(solution_.begin(), solution_.end(), 0);
        for (std::size_t i = 0; i < size_; ++i) at(i, i) = diagonal;
    }
    /// Adds an equation, features x solution = target, to the least squares.
    void add(std::span<const double> features, double target) {
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t j = 0; j <= i; ++j) at(i, j) += features[i] * features[j];
            right_[i] += features[i] * target;
        }
    }
    /// By Cholesky, in place.
    std::span<const double> solve() {
        for (std::size_t i = 0; i < size_; ++i) {
            const double diagonal = at(i, i);
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = at(i, j);
                for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
                if (j < i) {
                    at(i, j) = sum / at(j, j);
                } else if (sum > 1e-12 * diagonal) {
                    at(i, i) = std::sqrt(sum);
                } else {
                    throw Error(Failure::usage,
                                "the ratings of a user do not determine its vector; give a --regularisation "
                                "above 0");
                }
            }
        }
        for (std::size_t i = 0; i < size_; ++i) {
            double sum = right_[i];
            for (std::size_t k = 0; k < i; ++k) sum -= at(i, k) * solution_[k];
            solution_[i] = sum / at(i, i);
        }
        for (std::size_t i = size_; i-- > 0;) {
            double sum = solution_[i];
            for (std::size_t k = i + 1; k < size_; ++k) sum -= at(k, i) * solution_[k];
            solution_[i] = sum / at(i, i);
        }
        return solution_;
    }
    /// The least squares with all but the first `free` unknowns at or above 0.
    std::span<const double> solve_nonnegative(std::size_t free) {
        constexpr int most_passes = 1000;
        constexpr double small = 1e-9;
        for (int pass = 0; pass < most_passes; ++pass) {
            double change = 0, largest = 0;
            for (std::size_t i = 0; i < size_; ++i) {
                if (at(i, i) <= 0) continue;
                double sum = right_[i];
                for (std::size_t k = 0; k < size_; ++k) {
                    if (k != i) sum -= at(std::max(i, k), std::min(i, k)) * solution_[k];
                }
                double value = sum / at(i, i);
                if (i >= free) value = std::max(value, 0.0);
                change = std::max(change, std::abs(value - solution_[i]));
                largest = std::max(largest, std::abs(value));
                solution_[i] = value;
            }
            if (change <= small * largest) break;
        }
        return solution_;
    }

private:
    double& at(std::size_t i, std::size_t j) { return matrix_[i * size_ + j]; }

    std::size_t size_;
    std::vector<double> matrix_, right_, solution_;
};

/// Pairs of weight 0 that were drawn for each edge of a model of implicit feedback; 0 of others.
std::uint32_t drawn_of(const Model& model) {
    const auto found = model.parameters.find("negatives");
    return found == model.parameters.end()
               ? 0
               : cli::parse_number<std::uint32_t>(found->second, 1, 1'000'000).value_or(0);
}

/// The model with room for the rows of `ids`, those it knows as they are.
Model with_rows(const Model& model, const IdMap& ids) {
    Model wider = model;
    wider.row_ids = merged(model.row_ids, ids);
    wider.rows = wider.row_ids.size();
    wider.row_factors.assign(std::size_t{wider.rows} * model.rank, 0);
    if (!model.biases.empty()) wider.biases.row.assign(wider.rows, 0);
    const auto place = matched(model.row_ids, wider.row_ids);
    for (VertexId u = 0; u < model.rows; ++u) {
        const auto from =
            model.row_factors.begin() + static_cast<std::ptrdiff_t>(std::size_t{u} * model.rank);
        std::copy_n(
            from, model.rank,
            wider.row_factors.begin() + static_cast<std::ptrdiff_t>(std::size_t{*place[u]} * model.rank));
        if (!model.biases.empty()) wider.biases.row[*place[u]] = model.biases.row[u];
    }
    return wider;
}

}  // namespace

Model folded_in(const Model& model, const Dataset& ratings, double regularisation, bool nonnegative,
                VertexId* empty) {
    const Graph& graph = ratings.graph;
    const bool biased = !model.biases.empty();
    const std::size_t rank = model.rank,
                      first = biased;  // unknowns: the bias, if there is one, and the vector
    const auto item_of = matched(ratings.col_ids, model.col_ids);
    const ImplicitFeedback feedback{.drawn = drawn_of(model)};
    Model result = with_rows(model, ratings.row_ids);
    const auto place = matched(ratings.row_ids, result.row_ids);
    std::vector<char> is_empty(graph.rows);
    ParallelErrors errors;
#pragma omp parallel
    {
        std::optional<Normal> normal;
        std::vector<double> features;
        errors.run([&] {
            normal.emplace(first + rank);
            features.assign(first + rank, 1);
        });
#pragma omp for schedule(dynamic, 16)
        for (VertexId u = 0; u < graph.rows; ++u) {
            if (errors.failed()) continue;
            errors.run([&] {
                if (u % 1024 == 0) cli::check_signal();
                EdgeId known = 0;
                for (const EdgeId e : graph.edges_of(u)) known += item_of[graph.col[e]].has_value();
                float* const vector = result.row_factors.data() + std::size_t{*place[u]} * rank;
                if (known == 0) {
                    is_empty[u] = 1;
                    std::fill_n(vector, rank, 0.0F);
                    if (biased) result.biases.row[*place[u]] = 0;
                    return;
                }
                normal->clear(regularisation * static_cast<double>(known) * (1.0 + feedback.drawn));
                const auto add = [&](VertexId item, double weight) {
                    const float* const q = model.col_factors.data() + std::size_t{item} * rank;
                    std::copy_n(q, rank, features.begin() + static_cast<std::ptrdiff_t>(first));
                    const double base =
                        biased ? double{model.biases.mean} + double{model.biases.col[item]} : 0;
                    normal->add(features, weight - base);
                };
                for (const EdgeId e : graph.edges_of(u)) {
                    const auto item = item_of[graph.col[e]];
                    if (!item) continue;
                    add(*item, feedback.drawn ? 1 : double{graph.weight(e)});
                    for (std::uint32_t i = 0; i < feedback.drawn; ++i)
                        add(drawn_column(feedback, e, i, model.cols), 0);
                }
                const auto solution = nonnegative ? normal->solve_nonnegative(first) : normal->solve();
                if (biased) result.biases.row[*place[u]] = static_cast<float>(solution[0]);
                for (std::size_t k = 0; k < rank; ++k) vector[k] = static_cast<float>(solution[first + k]);
            });
        }
    }
    errors.rethrow();
    *empty = static_cast<VertexId>(std::count(is_empty.begin(), is_empty.end(), 1));
    return result;
}

}  // namespace lockstep::predict
