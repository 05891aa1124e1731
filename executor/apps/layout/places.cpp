#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "apps/layout/files.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/id_match.hpp"
#include "lockstep/formats/id_text.hpp"
#include "lockstep/formats/npy.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::layout {

namespace {

/// The positions that have been read so far, and the line number of each vertex (0 if the file is not text),
/// for error messages.
class PositionReader {
public:
    PositionReader(const std::string& path, const IdMap& ids, int dimensions)
        : path_(path),
          ids_(ids),
          d_(static_cast<std::size_t>(dimensions)),
          places_(d_ * ids.size()),
          line_(ids.size(), 0),
          known_(ids.size()) {}

    void put(VertexId v, const float* at, std::uint64_t line = 0) {
        if (known_[v])
            fail(line, fmt::format("vertex {} has a position already, in line {}", ids_.name(v), line_[v]));
        known_[v] = true, line_[v] = line;
        for (std::size_t k = 0; k < d_; ++k) {
            if (!std::isfinite(at[k]))
                fail(line, fmt::format("the position of vertex {} is not finite", ids_.name(v)));
            // adding 0 converts -0 to 0, since equal positions must have equal bits
            places_[d_ * v + k] = at[k] + 0.0F;
        }
        const auto [other, added] =
            at_.try_emplace({places_.begin() + static_cast<std::ptrdiff_t>(d_ * v),
                             places_.begin() + static_cast<std::ptrdiff_t>(d_ * v + d_)},
                            v);
        if (!added)
            fail(line, fmt::format("vertices {} and {} have the same initial position, so a step has no "
                                   "direction; move one of them",
                                   ids_.name(other->second), ids_.name(v)));
    }
    [[noreturn]] void fail(std::uint64_t line, const std::string& what) const {
        throw FormatError(path_, line, what);
    }
    VertexPositions finish() {
        for (VertexId v = 0; v < ids_.size(); ++v) {
            if (!known_[v])
                fail(0, fmt::format("vertex {} has no position; expected one for each of {} vertices",
                                    ids_.name(v), ids_.size()));
        }
        return std::move(places_);
    }
    std::size_t dimensions() const { return d_; }

private:
    std::string path_;
    const IdMap& ids_;
    std::size_t d_;
    VertexPositions places_;
    std::vector<std::uint64_t> line_;
    std::vector<bool> known_;
    std::map<std::vector<float>, VertexId> at_;
};

std::string_view field(std::string_view& line) {
    while (!line.empty() && readers::is_blank(line.front())) line.remove_prefix(1);
    std::size_t end = 0;
    if (line.starts_with('"')) end = line.find('"', 1) + 1;
    while (end < line.size() && !readers::is_blank(line[end])) ++end;
    const std::string_view found = line.substr(0, end);
    line.remove_prefix(end);
    return found;
}

void read_text(const std::string& path, const IdMap& ids, PositionReader& reading) {
    // vertices by their IDs as text, for those IDs that are quoted in files
    std::map<std::string, VertexId, std::less<>> quoted;
    for (VertexId v = 0; v < ids.size(); ++v) {
        if (std::string name = ids.name(v), text = id_field(name); text != name) quoted.emplace(text, v);
    }
    InputFile file(path);
    readers::for_each_line(file, [&](std::uint64_t number, std::string_view line) {
        const std::string_view id = field(line);
        if (id.empty()) return;
        const auto found = quoted.find(id);
        const auto v = found != quoted.end() ? std::optional(found->second) : ids.find(id);
        if (!v) reading.fail(number, fmt::format("{} is not a vertex of the graph", readers::shown(id)));
        float at[max_dimensions] = {};
        for (std::size_t k = 0; k < reading.dimensions(); ++k) {
            const std::string_view token = field(line);
            const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), at[k]);
            if (token.empty() || error != std::errc() || end != token.data() + token.size())
                reading.fail(number, fmt::format("coordinate {} is {}; expected an id and {} numbers", k + 1,
                                                 readers::shown(token), reading.dimensions()));
        }
        if (!field(line).empty())
            reading.fail(
                number,
                fmt::format("there are more than {} coordinates; --dimensions sets the number of coordinates",
                            reading.dimensions()));
        reading.put(*v, at, number);
    });
}

void read_array(const std::string& path, const IdMap& ids, PositionReader& reading) {
    const NpyArray array = read_npy(path);
    if (array.type != "<f4" || array.shape != std::vector<std::uint64_t>{ids.size(), reading.dimensions()})
        reading.fail(0, fmt::format("expected an array of {} x {} numbers of single precision (<f4), with "
                                    "one row per vertex in the order of the ids",
                                    ids.size(), reading.dimensions()));
    for (VertexId v = 0; v < ids.size(); ++v) {
        float at[max_dimensions] = {};
        std::memcpy(at, array.bytes.data() + array.row_bytes() * v, array.row_bytes());
        reading.put(v, at);
    }
}

void read_hdf5(const std::string& path, const IdMap& ids, PositionReader& reading) {
    const ResultFile file = read_result(path);
    const auto vertices = match_ids(file.ids, ids);
    for (VertexId row = 0; row < vertices.size(); ++row) {
        if (!vertices[row])
            reading.fail(0, fmt::format("{} is not a vertex of the graph", file.ids.name(row)));
        float at[max_dimensions] = {};
        for (std::size_t k = 0; k < reading.dimensions(); ++k) {
            const auto* values =
                k < file.columns.size() ? std::get_if<std::vector<float>>(&file.columns[k].values) : nullptr;
            if (!values || file.columns.size() != reading.dimensions())
                reading.fail(0, fmt::format("has no positions of {} dimensions", reading.dimensions()));
            at[k] = (*values)[row];
        }
        reading.put(*vertices[row], at);
    }
}

}  // namespace

bool names_array(const std::string& path) { return path.ends_with(".npy"); }

VertexPositions read_places(const std::string& path, const IdMap& ids, int dimensions) {
    PositionReader reading(path, ids, dimensions);
    const auto read = names_array(path) ? read_array : path.ends_with(".h5") ? read_hdf5 : read_text;
    read(path, ids, reading);
    return reading.finish();
}

void write_array(const std::string& path, const VertexPositions& places, int dimensions) {
    const auto d = static_cast<std::uint64_t>(dimensions);
    NpyArray array{"<f4", {places.size() / d, d}, {}};
    array.bytes.resize(places.size() * sizeof(float));
    std::memcpy(array.bytes.data(), places.data(), array.bytes.size());
    write_npy(path, array);
}

}  // namespace lockstep::layout
