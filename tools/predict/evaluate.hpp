// How well a model says what is in a file: errors of its predictions, quality of its rankings.
#pragma once

#include <limits>
#include <string>

#include "cli.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"
#include "rated.hpp"
#include "scores.hpp"

namespace lockstep::predict {

/// What to measure beside the errors.
struct EvaluationQuestion {
    enum class Unknown { left_out, by_bias, refused };
    std::size_t at = 10;                                       ///< length of the lists; 0: none are made
    float relevant = -std::numeric_limits<float>::infinity();  ///< a pair of at least this weight is relevant
    Unknown unknown = Unknown::left_out;  ///< pairs with an id that the model does not know
    std::optional<Scale> scale;           ///< predictions beyond it are taken as its ends
};

struct Evaluation {
    EdgeId pairs = 0, unknown = 0;  ///< whose errors count; that have an id which the model does not know
    double rmse = 0, mae = 0;
    VertexId users = 0;  ///< with a relevant item, for whom lists were made
    double precision = 0, recall = 0, ndcg = 0;
};

/// Predicts every pair of `truth`, and ranks for every user with a relevant one all items that are not
/// `rated` (those of `truth` are never left out). Pairs with an unknown id are in no list, and not relevant.
///
///     RMSE = sqrt(mean of (weight - prediction)^2), MAE = mean of |weight - prediction|
///     precision@k = relevant among the first k / k, recall@k = relevant among the first k / relevant
///     NDCG@k = sum of 1 / log2(place + 1) over the relevant among the first k / the most that it can be
///
/// the last three as means over the users (Herlocker, Konstan, Terveen and Riedl, ACM TOIS 22, 2004; Järvelin
/// and Kekäläinen, ACM TOIS 20, 2002, with gains of 0 and 1). Sums have one order: the same result for any
/// number of threads. Throws FormatError where no pair counts, or a
/// pair with an unknown id is refused. O(edges rank + users cols
/// rank).
Evaluation evaluate(const Model& model, const Dataset& truth, const EvaluationQuestion& question,
                    const Rated& rated, const cli::Common& common);

/// For a person, and for programs.
std::string evaluation_text(const Evaluation& found, const EvaluationQuestion& question);
nlohmann::ordered_json evaluation_json(const Evaluation& found, const EvaluationQuestion& question,
                                       const std::string& model, const std::string& file);

}  // namespace lockstep::predict
