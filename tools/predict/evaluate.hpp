// Evaluation of a model on the edges of a file: errors of its predictions, quality of its rankings.
#pragma once

#include <limits>
#include <string>

#include "cli.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"
#include "rated.hpp"
#include "scores.hpp"

namespace lockstep::predict {

/// Parameters of an evaluation.
struct EvaluationQuestion {
    enum class UnknownPairPolicy { left_out, by_bias, refused };
    std::size_t at = 10;                                       ///< length of the ranked lists; 0: no lists
    float relevant = -std::numeric_limits<float>::infinity();  ///< minimum weight of a relevant pair
    UnknownPairPolicy unknown =
        UnknownPairPolicy::left_out;  ///< treatment of pairs with an ID that the model does not know
    std::optional<Scale> scale;       ///< predictions outside of this scale are clipped to it
};

struct Evaluation {
    /// Number of pairs whose errors count, and of pairs with an ID that the model does not know.
    EdgeId pairs = 0, unknown = 0;
    double rmse = 0, mae = 0;
    VertexId users = 0;  ///< number of users with a relevant item, for whom lists were made
    double precision = 0, recall = 0, ndcg = 0;
};

/// Predicts every pair of `truth`. For every user with a relevant pair, ranks all items except those in
/// `rated` (items in `truth` are never left out). Pairs with an unknown ID are in no list and not relevant.
///
///     RMSE = sqrt(mean of (weight - prediction)^2), MAE = mean of |weight - prediction|
///     precision@k = relevant among the first k / k, recall@k = relevant among the first k / relevant
///     NDCG@k = sum of 1 / log2(position + 1) over the relevant among the first k / its maximum
///
/// The last three are means over the users (Herlocker, Konstan, Terveen and Riedl, ACM TOIS 22, 2004;
/// Järvelin and Kekäläinen, ACM TOIS 20, 2002, with gains of 0 and 1). Sums are added in a fixed order, so
/// that the result does not depend on the number of threads. Throws FormatError if no pair counts, or if a
/// pair has an unknown ID and these are refused. O(edges rank + users cols rank).
Evaluation evaluate(const Model& model, const Dataset& truth, const EvaluationQuestion& question,
                    const KnownRatings& rated, const cli::Common& common);

/// Format an evaluation as text for a person, and as JSON for programs.
std::string evaluation_text(const Evaluation& found, const EvaluationQuestion& question);
nlohmann::ordered_json evaluation_json(const Evaluation& found, const EvaluationQuestion& question,
                                       const std::string& model, const std::string& file);

}  // namespace lockstep::predict
