#include "apps/update/states.hpp"

#include <fmt/format.h>

#include <cstring>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep::update {

namespace {

/// Row of a file that has one for every number an id may be.
std::optional<Array<std::uint64_t>> rows_by_id(const IdMap& ids, std::uint64_t rows) {
    Array<std::uint64_t> row(ids.size());
    for (VertexId v = 0; v < ids.size(); ++v) {
        const std::optional<std::int64_t> id = canonical_integer(ids.name(v));
        if (!id || *id < 0 || static_cast<std::uint64_t>(*id) >= rows) return {};
        row[v] = static_cast<std::uint64_t>(*id);
    }
    return row;
}

Array<std::uint64_t> count_up(std::uint64_t size) {
    Array<std::uint64_t> numbers(size);
    for (std::uint64_t i = 0; i < size; ++i) numbers[i] = i;
    return numbers;
}

}  // namespace

void StateArray::take(const StateSource& source, std::size_t bytes, const char* what) {
    file_ = source.array ? *source.array : read_npy(source.path);
    if (file_.row_bytes() == bytes || file_.rows() == 0) return;
    throw FormatError(
        source.path, fmt::format("{} has {} bytes there (numbers of {}), and {} in the update's struct", what,
                                 file_.row_bytes(), file_.type, bytes));
}

void StateArray::gather(std::size_t bytes) {
    bytes_.resize(row_.size() * bytes);
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < row_.size(); ++i)
        std::memcpy(bytes_.data() + i * bytes, file_.bytes.data() + row_[i] * bytes, bytes);
}

StateArray::StateArray(const std::string& option, const std::optional<StateSource>& source, std::size_t bytes,
                       const IdMap& ids) {
    if (source) {
        take(*source, bytes, "a vertex");
    } else {
        file_ = {"|u1", {ids.size(), bytes}, {}};
        file_.bytes.assign(ids.size() * bytes, std::byte{0});
    }
    if (file_.rows() == ids.size()) {
        row_ = count_up(ids.size());
    } else if (auto by_id = rows_by_id(ids, file_.rows()); by_id && file_.rows() > ids.size()) {
        row_ = std::move(*by_id);
    } else {
        throw FormatError(
            source->path,
            fmt::format("{} has {} rows, and the graph {} vertices ({}); expected a row a vertex, "
                        "in the order of the ids, or row I for the vertex of id I",
                        option, file_.rows(), ids.size(), ids.describe()));
    }
    gather(bytes);
}

StateArray::StateArray(const std::optional<StateSource>& source, std::size_t bytes, const Graph& graph,
                       const Array<EdgeId>& order)
    : row_(order) {
    if (source) {
        take(*source, bytes, "an edge");
        if (file_.rows() != graph.edges())
            throw FormatError(
                source->path,
                fmt::format("--edges has {} rows, and the graph {} edges; expected a row an edge, "
                            "in the order of the input",
                            file_.rows(), graph.edges()));
    } else {
        const bool weights = bytes == sizeof(float);
        file_ = weights ? NpyArray{"<f4", {graph.edges()}, {}} : NpyArray{"|u1", {graph.edges(), bytes}, {}};
        file_.bytes.assign(graph.edges() * bytes, std::byte{0});
        const Array<EdgeId> input = given_order(graph);
        for (EdgeId i = 0; weights && i < input.size(); ++i) {
            const float weight = graph.weight(input[i]);
            std::memcpy(file_.bytes.data() + i * bytes, &weight, bytes);
        }
    }
    gather(bytes);
}

NpyArray StateArray::result() const {
    NpyArray result = file_;
    if (row_.empty()) return result;
    const std::size_t bytes = bytes_.size() / row_.size();
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < row_.size(); ++i)
        std::memcpy(result.bytes.data() + row_[i] * bytes, bytes_.data() + i * bytes, bytes);
    return result;
}

std::string RunArrays::hash(bool with_edges) const {
    ContentHash hash;
    hash.add(rows.bytes()), hash.add(cols.bytes());
    if (with_edges) hash.add(std::span<const std::byte>(edges.result().bytes));
    return hash.hex();
}

}  // namespace lockstep::update
