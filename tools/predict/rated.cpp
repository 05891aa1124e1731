#include "rated.hpp"

#include <optional>

#include "cli.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::predict {
namespace {

Dataset read(const std::filesystem::path& path, const ReadOptions& reading) {
    InputFile file(path, cli::check_signal);
    if (!file.is_lockstep_hdf5()) return read_dataset(file, reading);
    return read_schedule_file(path, std::vector<std::string>{}).dataset;
}

}  // namespace

Rated::Rated(const std::filesystem::path& path, const ReadOptions& reading, const Model& model) {
    const Dataset dataset = read(path, reading);
    const Graph& graph = dataset.graph;
    std::vector<std::optional<VertexId>> item_of(graph.cols);
    for (VertexId col = 0; col < graph.cols; ++col)
        item_of[col] = model.col_ids.find(dataset.col_ids.name(col));

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
        throw FormatError(path.string(),
                          "has no pair of the model's ids; expected the ratings the model was fitted to");
    }
}

}  // namespace lockstep::predict
