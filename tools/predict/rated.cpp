#include "rated.hpp"

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/id_match.hpp"
#include "ratings.hpp"

namespace lockstep::predict {

KnownRatings::KnownRatings(const std::filesystem::path& path, const ReadOptions& reading, const Model& model)
    : KnownRatings(read_ratings(path, reading), model, path.string()) {}

KnownRatings::KnownRatings(const Dataset& dataset, const Model& model, const std::string& name) {
    const Graph& graph = dataset.graph;
    const auto item_of = match_ids(dataset.col_ids, model.col_ids);

    for (VertexId row = 0; row <= model.rows; ++row) {
        offsets_.push_back(items_.size());
        if (row == model.rows) break;
        const auto given = dataset.row_ids.find(model.row_ids.name(row));
        if (!given) continue;
        for (EdgeId e = graph.row_offsets[*given]; e < graph.row_offsets[*given + 1]; ++e) {
            if (const auto item = item_of[graph.col[e]]) items_.push_back(*item);
        }
    }
    if (items_.empty()) {
        throw FormatError(
            name, "has no pair with ids of the model; expected the ratings to which the model was fitted");
    }
}

}  // namespace lockstep::predict
