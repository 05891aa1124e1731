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

/// Baseline prediction of a biased model, to which the product of the factors is added: the mean of the
/// weights and an offset per row and per column. Without arrays, the model has factors only.
struct Biases {
    float mean = 0;
    std::vector<float> row, col;

    bool empty() const { return row.empty() && col.empty(); }
    /// The first overload returns the bias of a row plus the mean; the second also adds the bias of a column.
    /// Both return 0 if the model has no biases.
    double of(VertexId u) const { return empty() ? 0 : double{mean} + double{row[u]}; }
    double of(VertexId u, VertexId v) const { return empty() ? 0 : of(u) + double{col[v]}; }
    bool operator==(const Biases&) const = default;
};

/// The pairs that a model was fitted to, including held-out ones. By default, recommendation lists omit them.
struct TakenItems {
    std::vector<EdgeId> offsets;  ///< rows + 1 offsets into `columns`; empty if the pairs are not known
    /// Columns of row u at offsets[u] to offsets[u + 1], ascending and distinct.
    std::vector<VertexId> columns;

    bool known() const { return !offsets.empty(); }
    /// Returns the columns of a row; an empty span if the pairs are not known.
    std::span<const VertexId> of(VertexId row) const {
        if (!known()) return {};
        return std::span(columns).subspan(offsets[row], offsets[row + std::size_t{1}] - offsets[row]);
    }
    bool operator==(const TakenItems&) const = default;
};

/// Returns the pairs of a dataset without the edges sampled for implicit feedback. O(edges).
TakenItems taken_items(const Dataset& dataset);

struct Model {
    VertexId rows = 0, cols = 0;
    std::uint32_t rank = 0;
    std::vector<float> row_factors;  ///< rows x rank, row-major
    std::vector<float> col_factors;  ///< cols x rank, row-major
    IdMap row_ids, col_ids;
    std::string graph_hash;  ///< hash of the graph that the model was fitted to
    std::map<std::string, std::string> parameters;
    Biases biases{};
    TakenItems taken{};
};

/// Writes a model atomically, like write_schedule_file. Throws OutputError.
void write_model(const std::filesystem::path& path, const Model& model);
/// Reads and checks a model, like read_schedule_file. Throws FormatError.
Model read_model(const std::filesystem::path& path);

}  // namespace lockstep
