#include "lockstep/formats/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "file_parts.hpp"
#include "hdf5.hpp"
#include "schema.hpp"

namespace lockstep {

namespace {

/// Returns the hash of a model. It is computed from the hashes of its arrays, which are attributes in the
/// tree `root`.
std::string model_hash(const Model& model, const hdf5::Node& root) {
    ContentHash hash;
    const EdgeId head[] = {model.rows, model.cols, model.rank};
    hash.add(std::span<const EdgeId>(head));
    const auto hash_of = [&](const std::string& path, const auto&) { return root.array_hash(path); };
    hash.add(root.array_hash("row_factors"));
    hash.add(root.array_hash("col_factors"));
    // The hash includes the biases, so that a program that ignores them refuses the file.
    if (!model.biases.empty()) {
        hash.add(std::span<const float>(&model.biases.mean, 1));
        hash.add(root.array_hash("row_biases"));
        hash.add(root.array_hash("col_biases"));
    }
    add_to_hash(hash, model.row_ids, "row_ids", hash_of);
    if (model.col_ids != model.row_ids) add_to_hash(hash, model.col_ids, "col_ids", hash_of);
    return hash.hex();
}

bool all_finite(const std::vector<float>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

/// Throws hdf5::Hdf5Error unless the columns of every row are ascending, distinct and below `cols`.
void check(const TakenItems& taken, VertexId rows, VertexId cols) {
    if (taken.offsets.size() != rows + std::size_t{1} || taken.offsets.front() != 0 ||
        taken.offsets.back() != taken.columns.size() ||
        !std::is_sorted(taken.offsets.begin(), taken.offsets.end()))
        throw hdf5::Hdf5Error("the offsets of the taken items do not fit the rows");
    std::uint32_t odd = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(| : odd)
    for (VertexId u = 0; u < rows; ++u) {
        const auto columns = taken.of(u);
        odd |= std::uint32_t{!columns.empty() && columns.back() >= cols};
        odd |= std::uint32_t{std::adjacent_find(columns.begin(), columns.end(), std::greater_equal<>()) !=
                             columns.end()};
    }
    if (odd) throw hdf5::Hdf5Error("the taken items of a row are not ascending columns of the model");
}

/// Checks the invariants of a model, before it is written and after it is read.
void check(const Model& model) {
    const auto side = [&](const std::vector<float>& factors, VertexId vertices, const IdMap& ids,
                          const char* name) {
        if (factors.size() != EdgeId{vertices} * model.rank || ids.size() != vertices) {
            throw hdf5::Hdf5Error(fmt::format("{} factors and ids do not fit {} vertices of rank {}", name,
                                              vertices, model.rank));
        }
        if (!all_finite(factors)) throw hdf5::Hdf5Error(fmt::format("a {} factor is not finite", name));
    };
    const Biases& biases = model.biases;
    if (!biases.empty() && (biases.row.size() != model.rows || biases.col.size() != model.cols)) {
        throw hdf5::Hdf5Error(fmt::format("{} and {} biases do not fit {} rows and {} columns",
                                          biases.row.size(), biases.col.size(), model.rows, model.cols));
    }
    for (const auto* side_biases : {&biases.row, &biases.col}) {
        if (!std::isfinite(biases.mean) || !all_finite(*side_biases))
            throw hdf5::Hdf5Error("a bias is not finite");
    }
    if (model.taken.known()) check(model.taken, model.rows, model.cols);
    if (model.rank == 0) throw hdf5::Hdf5Error("the rank of a model is at least 1");
    side(model.row_factors, model.rows, model.row_ids, "row");
    side(model.col_factors, model.cols, model.col_ids, "column");
}

}  // namespace

TakenItems taken_items(const Dataset& dataset) {
    const Graph& graph = dataset.graph;
    const bool has_drawn = dataset.source.drawn > 0;
    const auto each_of = [&](VertexId u, auto use) {
        for (std::optional<VertexId> last; const EdgeId e : graph.edges_of(u)) {
            if ((has_drawn && graph.weight(e) == 0) || last == graph.col[e]) continue;
            use(*(last = graph.col[e]));
        }
    };
    TakenItems taken;
    taken.offsets.resize(graph.rows + std::size_t{1});
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u)
        each_of(u, [&](VertexId) { ++taken.offsets[u + std::size_t{1}]; });
    std::partial_sum(taken.offsets.begin(), taken.offsets.end(), taken.offsets.begin());
    taken.columns.resize(taken.offsets.back());
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u) {
        EdgeId next = taken.offsets[u];
        each_of(u, [&](VertexId column) { taken.columns[next++] = column; });
    }
    return taken;
}

void write_model_parts(hdf5::Writer& writer, const Model& model) {
    check(model);
    hdf5::Node& root = writer.node();
    root.set("rows", model.rows);
    root.set("cols", model.cols);
    root.set("rank", model.rank);
    root.set("graph_hash", model.graph_hash);
    if (!model.biases.empty()) {
        root.set("mean", static_cast<double>(model.biases.mean));
        writer.write("row_biases", std::span<const float>(model.biases.row));
        writer.write("col_biases", std::span<const float>(model.biases.col));
    }
    write_parameters(writer, "", model.parameters);
    writer.write("row_factors", std::span(model.row_factors), model.rank);
    writer.write("col_factors", std::span(model.col_factors), model.rank);
    if (model.taken.known()) {
        writer.write("taken/indptr", std::span<const EdgeId>(model.taken.offsets));
        writer.write("taken/indices", std::span<const VertexId>(model.taken.columns));
    }
    write_ids(writer, "row_ids", model.row_ids);
    write_col_ids(writer, "col_ids", model.col_ids, model.row_ids);
    root.set(schema::hash, model_hash(model, root));
}

Model read_model_parts(hdf5::Reader& reader) {
    const hdf5::Node& root = reader.root();
    Model model;
    model.rows = root.vertices("rows");
    model.cols = root.vertices("cols");
    model.rank = root.vertices("rank");
    model.graph_hash = root.text("graph_hash");
    model.parameters = read_parameters(root);
    model.row_factors = reader.read<std::vector<float>>("row_factors", model.rows, model.rank);
    model.col_factors = reader.read<std::vector<float>>("col_factors", model.cols, model.rank);
    if (root.attributes.contains("mean")) {
        model.biases.mean = static_cast<float>(root.real("mean"));
        model.biases.row = reader.read<std::vector<float>>("row_biases", model.rows);
        model.biases.col = reader.read<std::vector<float>>("col_biases", model.cols);
    }
    if (root.children.contains("taken")) {  // since format 1.4: the items that each user has taken
        model.taken.offsets = reader.read<std::vector<EdgeId>>("taken/indptr", model.rows + EdgeId{1});
        model.taken.columns = reader.read<std::vector<VertexId>>("taken/indices", model.taken.offsets.back());
    }
    model.row_ids = read_ids(reader, root.child("row_ids"), model.rows);
    model.col_ids = read_col_ids(reader, root.child("col_ids"), model.cols, model.row_ids);
    if (model_hash(model, root) != root.text(schema::hash))
        throw hdf5::Hdf5Error("the model does not agree with its hash: the file is damaged or was changed");
    check(model);
    return model;
}

void write_model(const std::filesystem::path& path, const Model& model) {
    hdf5::writing(path, [&] {
        hdf5::Writer writer(path, schema::model_format, 0);
        write_model_parts(writer, model);
        writer.commit();
    });
}

Model read_model(const std::filesystem::path& path) {
    return hdf5::reading(path, [&] {
        hdf5::Reader reader(path, schema::model_format);
        return read_model_parts(reader);
    });
}

}  // namespace lockstep
