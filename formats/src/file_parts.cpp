#include "file_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "schema.hpp"

namespace lockstep {

namespace {

// Values of the attribute `kind`. The first three are in the order of the variant in IdMap. The last one
// means that the columns have the IDs of the rows.
constexpr std::array<std::string_view, 4> kinds{"range", "integer", "string", "same-as-rows"};
constexpr std::size_t same_as_rows = 3;

void check(const StringIds& ids, const std::string& path) {
    if (ids.offsets.front() != 0 || ids.offsets.back() != ids.bytes.size() ||
        !std::is_sorted(ids.offsets.begin(), ids.offsets.end())) {
        throw hdf5::Hdf5Error(path + "/offsets do not run from 0 to the end of the bytes");
    }
    for (std::size_t i = 0; i + 1 < ids.offsets.size(); ++i) {
        if (ids.offsets[i + 1] - ids.offsets[i] > schema::max_id_bytes) {
            throw hdf5::Hdf5Error(
                fmt::format("{} has an id of more than {} bytes", path, schema::max_id_bytes));
        }
        if (i > 0 && ids.id(i - 1) >= ids.id(i))
            throw hdf5::Hdf5Error(path + " has ids that are not sorted and distinct");
    }
}

void check(const IntegerIds& ids, const std::string& path) {
    if (std::adjacent_find(ids.ids.begin(), ids.ids.end(), std::greater_equal<>()) != ids.ids.end()) {
        throw hdf5::Hdf5Error(path + " has ids that are not sorted and distinct");
    }
}

}  // namespace

void write_ids(hdf5::Writer& writer, const std::string& path, const IdMap& ids) {
    hdf5::Node& node = writer.node(path);
    node.set("kind", std::string(kinds[ids.ids().index()]));
    node.set("size", ids.size());
    if (const auto* range = std::get_if<RangeIds>(&ids.ids())) node.set("base", range->base);
    if (const auto* strings = std::get_if<StringIds>(&ids.ids())) check(*strings, path);
    for_each_array(ids, path, [&](const std::string& name, auto values) { writer.write(name, values); });
    node.set("description", ids.describe());
}

void write_col_ids(hdf5::Writer& writer, const std::string& path, const IdMap& col_ids,
                   const IdMap& row_ids) {
    if (col_ids != row_ids) return write_ids(writer, path, col_ids);
    writer.node(path).set("kind", std::string(kinds[same_as_rows]));
    writer.node(path).set("description", row_ids.describe());
}

IdMap read_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size) {
    const std::string path = group.path.substr(1);
    const std::size_t kind = group.choice("kind", std::span(kinds).first(same_as_rows));
    if (group.vertices("size") != size) {
        throw hdf5::Hdf5Error(
            fmt::format("{} has {} ids; expected {}", group.path, group.vertices("size"), size));
    }
    if (kind == 0) {
        const std::int64_t base = group.integer("base");
        if (size > 0 && base > std::numeric_limits<std::int64_t>::max() - (std::int64_t{size} - 1))
            throw hdf5::Hdf5Error(group.path + " has ids past 2^63");
        return RangeIds{base, size};
    }
    if (kind == 1) {
        IntegerIds ids{reader.read<std::vector<std::int64_t>>(path + "/ids", size)};
        check(ids, group.path);
        return ids;
    }
    StringIds ids;
    ids.offsets = reader.read<std::vector<std::uint64_t>>(path + "/offsets", std::uint64_t{size} + 1);
    const std::vector<char> bytes = reader.read<std::vector<char>>(path + "/bytes", ids.offsets.back());
    ids.bytes.assign(bytes.begin(), bytes.end());
    check(ids, group.path);
    return ids;
}

IdMap read_col_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size, const IdMap& row_ids) {
    if (group.choice("kind", kinds) != same_as_rows) return read_ids(reader, group, size);
    if (row_ids.size() != size)
        throw hdf5::Hdf5Error(
            group.path + " are the ids of the rows, but the number of columns differs from that of the rows");
    return row_ids;
}

void write_parameters(hdf5::Writer& writer, const std::string& parent, const Parameters& parameters) {
    hdf5::Node& node = writer.node(parent.empty() ? "parameters" : parent + "/parameters");
    for (const auto& [name, value] : parameters) node.set(name, value);
}

Parameters read_parameters(const hdf5::Node& parent) {
    Parameters parameters;
    const hdf5::Node& group = parent.child("parameters");
    for (const auto& entry : group.attributes) parameters[entry.first] = group.text(entry.first);
    return parameters;
}

}  // namespace lockstep
