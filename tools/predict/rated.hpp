// Known ratings, by the vertices of a model.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

class KnownRatings {
public:
    /// Contains no ratings.
    KnownRatings() = default;
    /// Reads a ratings file, or the graph of a schedule file, and matches its IDs to the IDs of the model by
    /// name; ignores pairs that the model does not know. Throws FormatError, also if no pair is known.
    /// O(edges) time, 4 bytes per stored edge.
    KnownRatings(const std::filesystem::path& path, const ReadOptions& reading, const Model& model);

    /// Matches the IDs of ratings in memory to the IDs of the model. Throws FormatError with `name` if no
    /// pair is known.
    KnownRatings(const Dataset& ratings, const Model& model, const std::string& name);

    std::span<const VertexId> items(VertexId row) const {
        if (offsets_.empty()) return {};
        return std::span(items_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
    }

private:
    std::vector<EdgeId> offsets_;
    std::vector<VertexId> items_;
};

}  // namespace lockstep::predict
