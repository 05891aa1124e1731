#include "lockstep/formats/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "file_parts.hpp"
#include "hdf5.hpp"
#include "schema.hpp"

namespace lockstep {

namespace {

/// Names of the types of columns, in the order of the variant ResultColumn::values.
constexpr std::array<std::string_view, 3> types{"f32", "u32", "u64"};

/// Returns the description of the columns that is stored in the file, such as "sum:u64,depth:u32". Files of
/// format "lockstep-ranks" do not store it, because it is always the same.
std::string described(const std::vector<ResultColumn>& columns) {
    std::string text;
    for (const ResultColumn& c : columns)
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", c.name, types[c.values.index()]);
    return text;
}
constexpr const char* of_ranks = "ranks:f32";

/// Returns the columns that a description names, without values. Throws hdf5::Hdf5Error if it is malformed.
std::vector<ResultColumn> columns_of(const std::string& text) {
    std::vector<ResultColumn> columns;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::size_t colon = text.rfind(':', end);
        if (colon == std::string::npos || colon <= begin)
            throw hdf5::Hdf5Error("its columns are not those of a result file");
        const std::string type = text.substr(colon + 1, end - colon - 1);
        ResultColumn& column = columns.emplace_back();
        column.name = text.substr(begin, colon - begin);
        if (type == types[1])
            column.values = std::vector<std::uint32_t>();
        else if (type == types[2])
            column.values = std::vector<std::uint64_t>();
        else if (type != types[0])
            throw hdf5::Hdf5Error("a column is of the unknown type " + type);
        begin = end + 1;
    }
    return columns;
}

/// Returns the hash of a result. It is computed from the hashes of its arrays, which are attributes in the
/// tree `root`.
std::string result_hash(const ResultFile& file, const hdf5::Node& root) {
    ContentHash hash;
    const EdgeId head[] = {file.ids.size()};
    hash.add(std::span<const EdgeId>(head));
    for (const ResultColumn& column : file.columns) hash.add(root.array_hash(column.name));
    add_to_hash(hash, file.ids, "ids",
                [&](const std::string& path, const auto&) { return root.array_hash(path); });
    return hash.hex();
}

/// Checks the invariants of a result, before it is written and after it is read.
void check(const ResultFile& file) {
    if ((file.format == schema::ranks_format) != (described(file.columns) == of_ranks))
        throw hdf5::Hdf5Error("a file of ranks must contain ranks and no other columns");
    for (const ResultColumn& column : file.columns) {
        const std::size_t size = std::visit([](const auto& v) { return v.size(); }, column.values);
        if (size != file.ids.size())
            throw hdf5::Hdf5Error(
                fmt::format("there are {} {}, but {} ids", size, column.name, file.ids.size()));
        const auto* reals = std::get_if<std::vector<float>>(&column.values);
        if (reals && file.format == schema::ranks_format &&
            !std::all_of(reals->begin(), reals->end(), [](float f) { return std::isfinite(f); }))
            throw hdf5::Hdf5Error("a rank is not finite");
    }
}

}  // namespace

void write_result(const std::filesystem::path& path, const ResultFile& file) {
    hdf5::writing(path, [&] {
        check(file);
        hdf5::Writer writer(path, file.format, 0);
        hdf5::Node& root = writer.node();
        root.set("vertices", file.ids.size());
        if (file.format != schema::ranks_format) root.set("columns", described(file.columns));
        root.set("graph_hash", file.graph_hash);
        write_parameters(writer, "", file.parameters);
        for (const ResultColumn& column : file.columns)
            std::visit([&](const auto& v) { writer.write(column.name, std::span(v)); }, column.values);
        write_ids(writer, "ids", file.ids);
        root.set(schema::hash, result_hash(file, root));
        writer.commit();
    });
}

ResultFile read_result(const std::filesystem::path& path) {
    return hdf5::reading(path, [&] {
        hdf5::Reader reader(path);
        const hdf5::Node& root = reader.root();
        ResultFile file;
        file.format = root.text(schema::format);
        if (file.format != schema::ranks_format && file.format != schema::result_format)
            throw hdf5::Hdf5Error("it has the format " + file.format + ", not that of a result file");
        const VertexId vertices = root.vertices("vertices");
        file.columns = columns_of(file.format == schema::ranks_format ? of_ranks : root.text("columns"));
        file.graph_hash = root.text("graph_hash");
        file.parameters = read_parameters(root);
        for (ResultColumn& column : file.columns) {
            std::visit([&]<class V>(V& values) { values = reader.read<V>(column.name, vertices); },
                       column.values);
        }
        file.ids = read_ids(reader, root.child("ids"), vertices);
        if (result_hash(file, root) != root.text(schema::hash))
            throw hdf5::Hdf5Error(
                "the values do not agree with their hash: the file is damaged or was changed");
        check(file);
        return file;
    });
}

}  // namespace lockstep
