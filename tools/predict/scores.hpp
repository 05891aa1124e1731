// Scores of a model: single predictions, the scores of one vector with all items, and the best items.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

/// Returns the dot product of vector i of `a` and vector j of `b`, summed in double precision in the order of
/// the components. Finite for finite factors.
double dot(const std::vector<float>& a, VertexId i, const std::vector<float>& b, VertexId j,
           std::uint32_t rank);

/// Returns dot(row_factors[row], col_factors[col]) plus the biases of both, rounded once. Infinite if the
/// result is too large for a float.
float prediction(const Model& model, VertexId row, VertexId col);
/// The range of the ratings of a model, if they have one: predictions outside of it have larger errors than
/// its bounds.
using Scale = std::pair<float, float>;
std::optional<Scale> scale_of(const Model& model);
inline float on(const std::optional<Scale>& scale, float x) {
    return scale ? std::clamp(x, scale->first, scale->second) : x;
}

/// Returns the prediction of a biased model for a pair of which the model knows one endpoint or none: the
/// mean plus the bias of the known endpoint.
float bias(const Model& model, std::optional<VertexId> row, std::optional<VertexId> col);

/// Returns the number of users that are ranked before their lists are written, signals are handled and
/// progress is shown. Ranking them takes some tenths of a second; at least one user per thread.
std::size_t user_batch_size(const Model& model);

/// Scores of a vector of `rank` components with all items.
class ItemScores {
public:
    /// Transposes the item factors, so that the same component of neighbouring items is adjacent in memory.
    explicit ItemScores(const Model& model);
    /// Computes scores[i] = dot(vector, col_factors[i]) + bias + the bias of item i. The scores are bitwise
    /// identical to those of `prediction` if `bias` is Biases::of the row. O(cols rank).
    void compute(std::span<const float> vector, double bias, std::span<float> scores) const;

private:
    std::uint32_t rank_;
    std::vector<float> by_component_;  ///< item factors, rank x cols
    std::vector<float> biases_;        ///< biases of the items
};

struct ScoredItem {
    float score;
    VertexId item;
};

/// Fills `ranked` with the best items that are not marked in `skip`, highest score first, equal scores in
/// item order. Returns their number. `candidates` is scratch space for twice as many items. O(items + n log
/// n).
std::size_t best(std::span<const float> scores, std::span<const char> skip,
                 std::vector<ScoredItem>& candidates, std::span<ScoredItem> ranked);

}  // namespace lockstep::predict
