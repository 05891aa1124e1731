// The model file: factor vectors, biases and the original ids of both sides, in HDF5 (SCHEMA.md).
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// What a biased model predicts before its factors say anything: the mean of the weights, and by how much
/// each row and each column is above it. Without arrays: a plain model, of factors alone.
struct Biases {
    float mean = 0;
    std::vector<float> row, col;

    bool empty() const { return row.empty() && col.empty(); }
    /// Of a row, with the mean; of both ends. 0 of a plain model.
    double of(VertexId u) const { return empty() ? 0 : double{mean} + double{row[u]}; }
    double of(VertexId u, VertexId v) const { return empty() ? 0 : of(u) + double{col[v]}; }
    bool operator==(const Biases&) const = default;
};

/// The pairs that a model was fitted to, held-out ones included: by default lists leave them out.
struct TakenItems {
    std::vector<EdgeId> offsets;    ///< rows + 1; empty if the pairs are not known
    std::vector<VertexId> columns;  ///< of row u from offsets[u] to offsets[u + 1], ascending and distinct

    bool known() const { return !offsets.empty(); }
    /// Returns the columns of a row; none if the pairs are not known.
    std::span<const VertexId> of(VertexId row) const {
        if (!known()) return {};
        return std::span(columns).subspan(offsets[row], offsets[row + std::size_t{1}] - offsets[row]);
    }
    bool operator==(const TakenItems&) const = default;
};

/// Returns the pairs of a dataset, without those that were drawn for implicit feedback. O(edges).
TakenItems taken_items(const Dataset& dataset);

struct Model {
    VertexId rows = 0, cols = 0;
    std::uint32_t rank = 0;
    std::vector<float> row_factors;  ///< rows x rank, row-major
    std::vector<float> col_factors;  ///< cols x rank, row-major
    IdMap row_ids, col_ids;
    std::string graph_hash;  ///< of the graph it was fitted to
    std::map<std::string, std::string> parameters;
    Biases biases{};
    TakenItems taken{};
};

/// Atomic, as write_schedule_file. Throws OutputError.
void write_model(const std::filesystem::path& path, const Model& model);
/// Checked, as read_schedule_file. Throws FormatError.
Model read_model(const std::filesystem::path& path);

}  // namespace lockstep
