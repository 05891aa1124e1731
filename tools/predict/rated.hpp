// Ratings that are known already, in the vertices of a model.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

class Rated {
public:
    /// Nothing rated.
    Rated() = default;
    /// Reads a ratings file, or the graph of a schedule file, and matches its ids to those of
    /// the model by name; pairs the model does not know are left out. Throws FormatError, also when no
    /// pair is known. O(edges), 4 bytes an edge kept.
    Rated(const std::filesystem::path& path, const ReadOptions& reading, const Model& model);

    /// The same of ratings in memory. Throws FormatError with `name`, where no pair is known.
    Rated(const Dataset& ratings, const Model& model, const std::string& name);

    std::span<const VertexId> items(VertexId row) const {
        if (offsets_.empty()) return {};
        return std::span(items_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
    }

private:
    std::vector<EdgeId> offsets_;
    std::vector<VertexId> items_;
};

}  // namespace lockstep::predict
