#include "fold_in.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "cli.hpp"
#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/id_match.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::predict {
namespace {

/// A symmetric system of `size` equations; only the lower triangle of the matrix is stored.
class Normal {
public:
    explicit Normal(std::size_t size) : size_(size), matrix_(size * size), right_(size), solution_(size) {}

    void clear(double diagonal) {
        std::fill(matrix_.begin(), matrix_.end(), 0);
        std::fill(right_.begin(), right_.end(), 0);
        std::fill(solution_.begin(), solution_.end(), 0);
        for (std::size_t i = 0; i < size_; ++i) at(i, i) = diagonal;
    }
    /// Adds the equation features x solution = target to the least-squares problem.
    void add(std::span<const double> features, double target, double weight = 1) {
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t j = 0; j <= i; ++j) at(i, j) += weight * features[i] * features[j];
            right_[i] += weight * features[i] * target;
        }
    }
    void add_diagonal(double value) {
        for (std::size_t i = 0; i < size_; ++i) at(i, i) += value;
    }
    /// Solves the system by an in-place Cholesky decomposition.
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
    /// Solves the least-squares problem with all but the first `free` unknowns constrained to be ≥ 0.
    std::span<const double> solve_nonnegative(std::size_t free) {
        constexpr int max_passes = 1000;
        constexpr double small = 1e-9;
        for (int pass = 0; pass < max_passes; ++pass) {
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

/// Returns the number of pairs of weight 0 that were drawn for each edge of a model of implicit feedback; 0
/// for other models.
std::uint32_t drawn_of(const Model& model) {
    const auto found = model.parameters.find("negatives");
    return found == model.parameters.end()
               ? 0
               : cli::parse_number<std::uint32_t>(found->second, 1, 1'000'000).value_or(0);
}

/// Returns a parameter that a model of implicit ALS stores. Throws Error (bad input) if it is missing.
double parameter(const Model& model, const char* name) {
    const auto found = model.parameters.find(name);
    const auto value =
        found == model.parameters.end() ? std::nullopt : cli::parse_number(found->second, 0.0, 1e30);
    if (!value) throw Error(Failure::bad_input, fmt::format("the model does not contain its {}", name));
    return *value;
}

/// Returns the weight of an edge of a new user, by the rule that training used: 1, or the weight of the edge.
double taken_weight(const Model& model, float weight) {
    if (model.parameters.at("confidence") == "equal") return 1;
    if (weight > 0) return weight;
    throw Error(Failure::bad_input,
                fmt::format("an edge has the weight {:g}; for this model, a weight is the confidence that "
                            "the item was taken: expected more than 0",
                            weight));
}

/// The part of the normal equations that is the same for all users of an implicit ALS model
/// (apps/als/normal_equations.hpp). In it, every item has the target 0 and the weight of an unobserved pair.
/// The class also computes the regularisation of a user.
class EveryPair {
public:
    EveryPair(const Model& model, double regularisation)
        : normal_(model.rank),
          unobserved_(parameter(model, "unobserved_weight")),
          exponent_(parameter(model, "regularisation_exponent")),
          mean_(parameter(model, "mean_row_weight")),
          regularisation_(regularisation * parameter(model, "mean_weight")) {
        normal_.clear(0);
        std::vector<double> features(model.rank);
        for (VertexId i = 0; i < model.cols; ++i) {
            std::copy_n(model.col_factors.data() + std::size_t{i} * model.rank, model.rank, features.begin());
            normal_.add(features, 0, unobserved_ * mean_ / model.cols);
        }
    }
    /// Returns the equations to which those of a user's edges are added; `weight` is the total weight of
    /// these edges.
    Normal begin(double weight) const {
        Normal normal = normal_;
        normal.add_diagonal(regularisation_ *
                            std::pow((weight / mean_ + unobserved_) / (1 + unobserved_), exponent_));
        return normal;
    }

private:
    Normal normal_;
    double unobserved_, exponent_, mean_, regularisation_;
};

/// Returns the model extended to the rows of `ids`; known rows keep their vectors.
Model with_rows(const Model& model, const IdMap& ids) {
    Model wider = model;
    wider.row_ids = merge_ids(model.row_ids, ids);
    wider.rows = wider.row_ids.size();
    wider.row_factors.assign(std::size_t{wider.rows} * model.rank, 0);
    if (!model.biases.empty()) wider.biases.row.assign(wider.rows, 0);
    const auto place = match_ids(model.row_ids, wider.row_ids);
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

/// Returns the items that each of `rows` has taken: those of the model, and those in the ratings. Returns an
/// empty result if the model does not store taken items.
TakenItems with_ratings(const Model& model, const Dataset& ratings, const IdMap& rows) {
    if (!model.taken.known()) return {};
    const TakenItems rated = taken_items(ratings);
    const auto item_of = match_ids(ratings.col_ids, model.col_ids);
    const auto in_model = match_ids(rows, model.row_ids), in_ratings = match_ids(rows, ratings.row_ids);
    TakenItems all;
    all.offsets.push_back(0);
    for (VertexId u = 0; u < rows.size(); ++u) {
        if (in_model[u]) {
            const auto before = model.taken.of(*in_model[u]);
            all.columns.insert(all.columns.end(), before.begin(), before.end());
        }
        if (in_ratings[u]) {
            for (const VertexId column : rated.of(*in_ratings[u]))
                if (item_of[column]) all.columns.push_back(*item_of[column]);
        }
        const auto begin = all.columns.begin() + static_cast<std::ptrdiff_t>(all.offsets.back());
        std::sort(begin, all.columns.end());
        all.columns.erase(std::unique(begin, all.columns.end()), all.columns.end());
        all.offsets.push_back(all.columns.size());
    }
    return all;
}

}  // namespace

Model folded_in(const Model& model, const Dataset& ratings, double regularisation, bool nonnegative,
                VertexId* empty) {
    const Graph& graph = ratings.graph;
    const bool biased = !model.biases.empty();
    const std::size_t rank = model.rank,
                      first = biased;  // index of the vector in the unknowns, behind the bias if there is one
    const auto item_of = match_ids(ratings.col_ids, model.col_ids);
    const ImplicitFeedback feedback{.drawn = drawn_of(model)};
    const bool als = model.parameters.contains("solver") && model.parameters.at("solver") == "als";
    const std::optional<EveryPair> every =
        als ? std::optional(EveryPair(model, regularisation)) : std::nullopt;
    Model result = with_rows(model, ratings.row_ids);
    result.taken = with_ratings(model, ratings, result.row_ids);
    const auto place = match_ids(ratings.row_ids, result.row_ids);
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
                double weights = 0;
                for (const EdgeId e : graph.edges_of(u)) {
                    if (item_of[graph.col[e]])
                        ++known, weights += als ? taken_weight(model, graph.weight(e)) : 0;
                }
                float* const vector = result.row_factors.data() + std::size_t{*place[u]} * rank;
                if (known == 0) {
                    is_empty[u] = 1;
                    std::fill_n(vector, rank, 0.0F);
                    if (biased) result.biases.row[*place[u]] = 0;
                    return;
                }
                if (every)
                    *normal = every->begin(weights);
                else
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
                    if (als) {
                        std::copy_n(model.col_factors.data() + std::size_t{*item} * rank, rank,
                                    features.begin());
                        normal->add(features, 1, taken_weight(model, graph.weight(e)));
                        continue;
                    }
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
