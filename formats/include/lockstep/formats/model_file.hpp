// The model file: the factors and biases of a trained recommender, and the original IDs of its rows and
// columns, in HDF5 (SCHEMA.md).
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// The baseline prediction of a biased model: mean of the weights + bias of the row + bias of the column. The
/// prediction of the model is the baseline plus the product of the factors. A model without biases has empty
/// arrays.
struct Biases {
    float mean = 0;
    std::vector<float> row, col;

    bool empty() const { return row.empty() && col.empty(); }
    /// Return the baseline without (first function) or with (second function) the bias of a column. Both
    /// return 0 if the model has no biases.
    double of(VertexId u) const { return empty() ? 0 : double{mean} + double{row[u]}; }
    double of(VertexId u, VertexId v) const { return empty() ? 0 : of(u) + double{col[v]}; }
    bool operator==(const Biases&) const = default;
};

/// The (row, column) pairs that the training data contained, including the held-out edges. Recommendation
/// lists omit these pairs by default.
struct TakenItems {
    std::vector<EdgeId> offsets;  ///< rows + 1 offsets into `columns`; empty if the pairs are not known
    /// Columns of row u at positions offsets[u] … offsets[u + 1] - 1, ascending and distinct.
    std::vector<VertexId> columns;

    bool known() const { return !offsets.empty(); }
    /// Returns the columns of a row, or an empty span if the pairs are not known.
    std::span<const VertexId> of(VertexId row) const {
        if (!known()) return {};
        return std::span(columns).subspan(offsets[row], offsets[row + std::size_t{1}] - offsets[row]);
    }
    bool operator==(const TakenItems&) const = default;
};

/// Returns the pairs of a dataset. Edges that were sampled for implicit feedback do not count. O(edges).
TakenItems taken_items(const Dataset& dataset);

/// The contents of a model file.
struct Model {
    VertexId rows = 0, cols = 0;
    std::uint32_t rank = 0;
    std::vector<float> row_factors;  ///< rows x rank, row-major
    std::vector<float> col_factors;  ///< cols x rank, row-major
    IdMap row_ids, col_ids;
    std::string graph_hash;  ///< hash of the graph on which the model was trained
    std::map<std::string, std::string> parameters;
    Biases biases{};
    TakenItems taken{};
};

/// Writes a model file atomically, like write_schedule_file(). Throws OutputError.
void write_model(const std::filesystem::path& path, const Model& model);
/// Reads and checks a model file, like read_schedule_file(). Throws FormatError.
Model read_model(const std::filesystem::path& path);

}  // namespace lockstep
