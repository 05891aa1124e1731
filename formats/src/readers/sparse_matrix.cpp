#include "sparse_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lockstep/formats/error.hpp"
#include "unicode.hpp"
#include "words.hpp"

namespace lockstep::readers {

namespace {

void check_index(const NumberArray& array, std::uint64_t entry, std::int64_t index, std::uint64_t size) {
    if (index >= 0 && static_cast<std::uint64_t>(index) < size) return;
    fail(fmt::format("entry {} of {} is {}; expected 0 … {}", entry, array.name(), index,
                     static_cast<std::int64_t>(size) - 1));
}

/// Iterates over the entries of a compressed matrix, and returns the row (for compressed columns: the column)
/// of each.
class Majors {
public:
    Majors(NumberArray& offsets, std::uint64_t count, std::uint64_t entries) : offsets_(offsets.all()) {
        if (offsets_.size() != count + 1) {
            fail(fmt::format("{} has {} entries; expected {}, one more than the dimension in the shape",
                             offsets.name(), offsets_.size(), count + 1));
        }
        if (offsets_.front() != 0 || !std::is_sorted(offsets_.begin(), offsets_.end()) ||
            static_cast<std::uint64_t>(offsets_.back()) != entries) {
            fail(fmt::format("{} does not increase monotonically from 0 to {}, the number of entries",
                             offsets.name(), entries));
        }
    }
    VertexId of(std::uint64_t entry) {
        while (static_cast<std::uint64_t>(offsets_[at_ + 1]) <= entry) ++at_;
        return static_cast<VertexId>(at_);
    }

private:
    std::vector<std::int64_t> offsets_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<std::int64_t> NumberArray::all() {
    std::vector<std::int64_t> values(size());
    read(0, values);
    return values;
}

std::vector<Triple> read_entries(const SparseMatrix& matrix, const ReadOptions& options,
                                 MemoryBudget& budget) {
    const std::uint64_t entries = matrix.indices->size();
    const auto same_size = [&](const NumberArray& array) {
        if (array.size() == entries) return;
        fail(fmt::format("{} has {} entries, but {} has {}; expected arrays of equal length", array.name(),
                         array.size(), matrix.indices->name(), entries));
    };
    same_size(*matrix.values);
    const bool coordinates = matrix.layout == SparseMatrix::Layout::coo,
               columns = matrix.layout == SparseMatrix::Layout::csc;
    if (coordinates) same_size(*matrix.row_indices);
    const double vertices = static_cast<double>(matrix.rows) + static_cast<double>(matrix.cols);
    budget.charge(MemoryBudget::vertex_bytes * vertices);
    budget.charge(MemoryBudget::edge_bytes(options.undirected) * static_cast<double>(entries));

    std::optional<Majors> majors;
    if (!coordinates) majors.emplace(*matrix.offsets, columns ? matrix.cols : matrix.rows, entries);
    std::vector<Triple> edges;
    edges.reserve(entries);
    std::vector<std::int64_t> row_indices, indices;
    std::vector<float> values;
    const std::uint64_t piece = std::max(matrix.indices->piece(), matrix.values->piece());
    for (std::uint64_t begin = 0; begin < entries; begin += piece) {
        const std::size_t size = std::min(piece, entries - begin);
        indices.resize(size), values.resize(size);
        matrix.indices->read(begin, indices);
        matrix.values->read(begin, values);
        if (coordinates) {
            row_indices.resize(size);
            matrix.row_indices->read(begin, row_indices);
        }
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint64_t entry = begin + i;
            check_index(*matrix.indices, entry, indices[i], columns ? matrix.rows : matrix.cols);
            if (coordinates) check_index(*matrix.row_indices, entry, row_indices[i], matrix.rows);
            if (const char* fault = weight_fault(values[i], options.min_weight()))
                fail(fmt::format("entry {} of {}: the weight {} {}", entry, matrix.values->name(), values[i],
                                 fault));
            const auto index = static_cast<VertexId>(indices[i]);
            const VertexId major = coordinates ? static_cast<VertexId>(row_indices[i]) : majors->of(entry);
            edges.push_back(columns ? Triple{index, major, values[i]} : Triple{major, index, values[i]});
        }
    }
    return edges;
}

NamedPositions number_names(std::vector<std::string> names, const std::string& what) {
    std::vector<std::int64_t> integers;
    for (const std::string& name : names) {
        if (const std::string fault = id_fault(name); !fault.empty() || name.empty())
            fail(fmt::format("{}: the name {} {}", what, shown(name), name.empty() ? "is empty" : fault));
        if (integers.size() != static_cast<std::size_t>(&name - names.data())) continue;
        if (const auto integer = canonical_integer(name)) integers.push_back(*integer);
    }
    const bool numbers = integers.size() == names.size();
    std::vector<VertexId> order(names.size());
    std::iota(order.begin(), order.end(), VertexId{0});
    const auto sort_by = [&](const auto& keys) {
        std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return keys[a] < keys[b]; });
    };
    numbers ? sort_by(integers) : sort_by(names);
    NamedPositions result;
    result.vertex.resize(names.size());
    StringIds strings;
    std::vector<std::int64_t> sorted;
    for (std::size_t v = 0; v < order.size(); ++v) {
        const std::string& name = names[order[v]];
        if (v > 0 && names[order[v - 1]] == name) {
            fail(
                fmt::format("{}: the name {} occurs twice; expected names that are unique (in Python: "
                            "adata.obs_names_make_unique(), adata.var_names_make_unique())",
                            what, shown(name)));
        }
        result.vertex[order[v]] = static_cast<VertexId>(v);
        numbers ? sorted.push_back(integers[order[v]]) : strings.push(name);
    }
    result.ids = numbers ? make_integer_ids(std::move(sorted)) : IdMap(std::move(strings));
    return result;
}

VertexId checked_vertices(std::int64_t count, const char* what) {
    if (count < 0 || count > std::int64_t{max_vertices})
        fail(fmt::format("the shape has {} {}; expected 0 … {}", count, what, max_vertices));
    return static_cast<VertexId>(count);
}

}  // namespace lockstep::readers
