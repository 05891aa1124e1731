#include "apps/update/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "apps/update/numbers.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep::update {

namespace {

/// Returns the array row of each vertex, for arrays in which row i belongs to the vertex with the ID i.
/// Returns nullopt if an ID is not an integer from 0 to `rows` - 1.
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

void StateArray::add_part(std::size_t from, std::size_t to, std::size_t bytes) {
    if (!parts_.empty()) {
        Part& last = parts_.back();
        if (last.from + last.bytes == from && last.to + last.bytes == to) {
            last.bytes += bytes;
            return;
        }
    }
    parts_.push_back({from, to, bytes});
}

/// Finds the bytes of each field of a structured array in the update's struct, by name. Throws Error if names
/// or types do not match.
void StateArray::find_parts_by_name(const Struct& type, const std::vector<NpyField>& fields) {
    const auto refuse = [&](const std::string& text) {
        throw Error(Failure::bad_input,
                    fmt::format("{}; {} has {}", text, type.name, field_list(type.layout)));
    };
    std::size_t found = 0;
    for (const NpyField& field : fields) {
        if (field.name.empty() && field.kind == 'V') continue;  // unnamed bytes are padding between fields
        const Field* const own = find_field(type.layout, field.name);
        if (!own) return refuse(fmt::format("its field {} is not a field of the struct", field.name));
        const auto numbers = numbers_of(type.layout, *own);
        const bool alike = numbers.size() == field.count &&
                           std::all_of(numbers.begin(), numbers.end(), [&](const Number& number) {
                               return number.kind == field.kind && number.bytes == field.bytes;
                           });
        if (!alike)
            return refuse(fmt::format("its field {} is {} × {}", field.name, field.count,
                                      type_name({field.kind, static_cast<std::uint8_t>(field.bytes), 0})));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            add_part(field.offset + i * field.bytes, numbers[i].offset, field.bytes);
        found += numbers.size();
    }
    if (found != static_cast<std::size_t>(type.layout.numbers))
        refuse("some fields of the struct are missing");
}

/// Finds which bytes of an array's row belong to which bytes of the update's struct. Throws Error if the
/// types do not match.
void StateArray::find_parts(const Struct& type, const char* what) {
    const Layout& layout = type.layout;
    const std::vector<NpyField> fields = npy_fields(file_.type);
    const NpyField& entry = fields[0];
    if (file_.structured()) return find_parts_by_name(type, fields);
    const bool of_bytes = entry.kind == 'V' || (entry.kind == 'u' && entry.bytes == 1);
    if (of_bytes && file_.row_bytes() == layout.bytes) return add_part(0, 0, layout.bytes);
    const std::size_t count = file_.row_bytes() / entry.bytes;
    const std::span numbers(layout.number, static_cast<std::size_t>(layout.numbers));
    const auto alike = [&](const Number& number) {
        return number.kind == entry.kind && number.bytes == entry.bytes;
    };
    if (layout.bytes > 0 && count == numbers.size() && std::all_of(numbers.begin(), numbers.end(), alike)) {
        for (std::size_t i = 0; i < count; ++i) add_part(i * entry.bytes, numbers[i].offset, entry.bytes);
        return;
    }
    const bool of_one_type = !numbers.empty() && numbers[0].kind != 'V' &&
                             std::all_of(numbers.begin(), numbers.end(), [&](const Number& number) {
                                 return number.kind == numbers[0].kind && number.bytes == numbers[0].bytes;
                             });
    throw Error(
        Failure::bad_input,
        fmt::format(
            "{} has {} × {} there, but {} has {}; expected {}", what, count,
            type_name({entry.kind, static_cast<std::uint8_t>(entry.bytes), 0}), type.name, field_list(layout),
            of_one_type
                ? fmt::format("{} numbers in a row: array.astype(\"{}\")", numbers.size(),
                              type_name(numbers[0]))
                : fmt::format("a structured array with these fields, or {} bytes in a row", layout.bytes)));
}

void StateArray::take(const StateSource& source, const Struct& type, const char* what) try {
    file_ = source.array ? *source.array : read_npy(source.path);
    if (file_.rows() > 0) find_parts(type, what);
} catch (const FormatError&) {
    throw;
} catch (const Error& e) {
    throw FormatError(source.path, e.what());
}

void StateArray::gather(std::size_t bytes) {
    bytes_.assign(row_.size() * bytes, std::byte{0});
    const std::size_t width = file_.row_bytes();
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < row_.size(); ++i) {
        for (const Part& part : parts_)
            std::memcpy(bytes_.data() + i * bytes + part.to, file_.bytes.data() + row_[i] * width + part.from,
                        part.bytes);
    }
}

StateArray::StateArray(const std::string& option, const std::optional<StateSource>& source,
                       const Struct& type, const IdMap& ids) {
    const std::size_t bytes = type.layout.bytes;
    if (source) {
        take(*source, type, "a vertex");
    } else {
        file_ = {"|u1", {ids.size(), bytes}, {}};
        file_.bytes.assign(ids.size() * bytes, std::byte{0});
        add_part(0, 0, bytes);
    }
    if (file_.rows() == ids.size()) {
        row_ = count_up(ids.size());
    } else if (auto by_id = rows_by_id(ids, file_.rows()); by_id && file_.rows() > ids.size()) {
        row_ = std::move(*by_id);
    } else {
        throw FormatError(source->path,
                          fmt::format("{} has {} rows, but the graph has {} vertices ({}); expected one row "
                                      "per vertex in the order of the ids, or row I for the vertex with id I",
                                      option, file_.rows(), ids.size(), ids.describe()));
    }
    gather(bytes);
}

StateArray::StateArray(const std::optional<StateSource>& source, const Struct& type, const Graph& graph,
                       const Array<EdgeId>& order)
    : row_(order) {
    const std::size_t bytes = type.layout.bytes;
    if (source) {
        take(*source, type, "an edge");
        if (file_.rows() != graph.edges())
            throw FormatError(source->path,
                              fmt::format("--edges has {} rows, but the graph has {} edges; expected one row "
                                          "per edge, in the order of the input",
                                          file_.rows(), graph.edges()));
    } else {
        const Number number = type.layout.number[0];
        const bool weights = type.layout.numbers == 1 && bytes == sizeof(float) && number.kind != 'V';
        file_ = weights ? NpyArray{fmt::format("<{}{}", number.kind, bytes), {graph.edges()}, {}}
                        : NpyArray{"|u1", {graph.edges(), bytes}, {}};
        file_.bytes.assign(graph.edges() * bytes, std::byte{0});
        add_part(0, 0, bytes);
        const Array<EdgeId> input = given_order(graph);
        for (EdgeId i = 0; weights && i < input.size(); ++i) {
            const float weight = graph.weight(input[i]);
            if (!store(number, weight, file_.bytes.data() + i * bytes))
                throw Error(Failure::bad_input,
                            fmt::format("edge {} of the input (counted from 0) has the weight {}, which {} "
                                        "({}) cannot represent; give the payloads with --edges",
                                        i, weight, type.name, field_list(type.layout)));
        }
    }
    gather(bytes);
}

NpyArray StateArray::result() const {
    NpyArray result = file_;
    if (row_.empty()) return result;
    const std::size_t bytes = bytes_.size() / row_.size(), width = file_.row_bytes();
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < row_.size(); ++i) {
        for (const Part& part : parts_)
            std::memcpy(result.bytes.data() + row_[i] * width + part.from,
                        bytes_.data() + i * bytes + part.to, part.bytes);
    }
    return result;
}

std::string RunArrays::hash(bool with_edges) const {
    ContentHash hash;
    hash.add(rows.bytes()), hash.add(cols.bytes());
    if (with_edges) hash.add(std::span<const std::byte>(edges.result().bytes));
    return hash.hex();
}

}  // namespace lockstep::update
