// Scores of a model: single predictions, one vector against all items, and the best of them.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

/// Dot product of vector i of `a` and vector j of `b`, summed in double in the order of the components.
/// Finite for finite factors.
double dot(const std::vector<float>& a, VertexId i, const std::vector<float>& b, VertexId j,
           std::uint32_t rank);

/// dot(row_factors[row], col_factors[col]) and the biases of both, rounded once. Infinite where a float
/// cannot hold it.
float prediction(const Model& model, VertexId row, VertexId col);
/// The scale that the ratings of a model lie on, if they do: predictions beyond it are further off than its ends.
using Scale = std::pair<float, float>;
std::optional<Scale> scale_of(const Model& model);
inline float on(const std::optional<Scale>& scale, float x) {
    return scale ? std::clamp(x, scale->first, scale->second) : x;
}

/// What a biased model says of ends that it knows one of, or none: the mean and the bias of that one.
float bias(const Model& model, std::optional<VertexId> row, std::optional<VertexId> col);

/// How many users are ranked before their lists are written, signals looked at and progress shown: as many as
/// take some tenths of a second, at least one a thread.
std::size_t users_at_a_time(const Model& model);

/// A vector of `rank` components against every item at once.
class ItemScores {
public:
    /// Transposes the item factors, so that neighbouring items are neighbours in memory.
    explicit ItemScores(const Model& model);
    /// scores[i] = dot(vector, col_factors[i]) + bias + the item's, bit for bit as `prediction` gives it
    /// where `bias` is Biases::of the row. O(cols rank).
    void compute(std::span<const float> vector, double bias, std::span<float> scores) const;

private:
    std::uint32_t rank_;
    std::vector<float> by_component_;  ///< rank x cols
    std::vector<float> biases_;        ///< of the items
};

struct Ranked {
    float score;
    VertexId item;
};

/// Fills `ranked` with the best items that are not marked in `skip`, highest score first, equal scores
/// by item; returns how many there are. `candidates` is scratch space, of twice as many. O(items + n log n).
std::size_t best(std::span<const float> scores, std::span<const char> skip, std::vector<Ranked>& candidates,
                 std::span<Ranked> ranked);

}  // namespace lockstep::predict
