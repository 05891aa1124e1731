#include "lockstep/formats/rank_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "file_parts.hpp"
#include "hdf5.hpp"
#include "schema.hpp"

namespace lockstep {

namespace {

/// From the hashes of its arrays, which stand in `root`.
std::string rank_hash(const RankFile& file, const hdf5::Node& root) {
    ContentHash hash;
    const EdgeId head[] = {file.ranks.size()};
    hash.add(std::span<const EdgeId>(head));
    hash.add(root.array_hash("ranks"));
    add_to_hash(hash, file.ids, "ids",
                [&](const std::string& path, const auto&) { return root.array_hash(path); });
    return hash.hex();
}

/// What holds of every rank file, before it is written and after it was read.
void check(const RankFile& file) {
    if (file.ranks.size() != file.ids.size())
        throw hdf5::Failed(fmt::format("there are {} ranks, but {} ids", file.ranks.size(), file.ids.size()));
    if (!std::all_of(file.ranks.begin(), file.ranks.end(), [](float f) { return std::isfinite(f); }))
        throw hdf5::Failed("a rank is not finite");
}

}  // namespace

void write_ranks(const std::filesystem::path& path, const RankFile& file) {
    hdf5::writing(path, [&] {
        check(file);
        hdf5::Writer writer(path, schema::ranks_format, 0);
        hdf5::Node& root = writer.node();
        root.set("vertices", file.ranks.size());
        root.set("graph_hash", file.graph_hash);
        write_parameters(writer, "", file.parameters);
        writer.write("ranks", std::span(file.ranks));
        write_ids(writer, "ids", file.ids);
        root.set(schema::hash, rank_hash(file, root));
        writer.commit();
    });
}

RankFile read_ranks(const std::filesystem::path& path) {
    return hdf5::reading(path, [&] {
        hdf5::Reader reader(path, schema::ranks_format);
        const hdf5::Node& root = reader.root();
        RankFile file;
        const VertexId vertices = root.vertices("vertices");
        file.graph_hash = root.text("graph_hash");
        file.parameters = read_parameters(root);
        file.ranks = reader.read<std::vector<float>>("ranks", vertices);
        file.ids = read_ids(reader, root.child("ids"), vertices);
        if (rank_hash(file, root) != root.text(schema::hash))
            throw hdf5::Failed("the ranks do not agree with their hash: the file is damaged or was changed");
        check(file);
        return file;
    });
}

}  // namespace lockstep
