// Parts that the schedule file and the model file share: id maps and parameters.
#pragma once

#include <map>
#include <string>

#include "hdf5.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/id_map.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep {

using Parameters = std::map<std::string, std::string>;

/// Writes the group `path` of one side's ids. Throws hdf5::Failed on an id of more than 4096 bytes.
void write_ids(hdf5::Writer& writer, const std::string& path, const IdMap& ids);
/// As write_ids, or a mark that they are the ids of the rows (group row_ids beside `path`).
void write_col_ids(hdf5::Writer& writer, const std::string& path, const IdMap& col_ids, const IdMap& row_ids);

/// Reads and checks the ids of `size` vertices: distinct, sorted, bounded. Throws hdf5::Failed.
IdMap read_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size);
IdMap read_col_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size, const IdMap& row_ids);

/// The arrays of ids under the names they have in the file; `visit(path, values)` for each.
template <class Visit>
void each_array(const IdMap& ids, const std::string& path, Visit&& visit) {
    if (const auto* integers = std::get_if<IntegerIds>(&ids.ids()))
        visit(path + "/ids", std::span(integers->ids));
    if (const auto* strings = std::get_if<StringIds>(&ids.ids())) {
        visit(path + "/bytes", std::span<const char>(strings->bytes));
        visit(path + "/offsets", std::span(strings->offsets));
    }
}

/// Adds the kind of ids, and the hashes of their arrays as `hash_of(path, values)` gives them.
template <class HashOf>
void add_to_hash(ContentHash& hash, const IdMap& ids, const std::string& path, HashOf&& hash_of) {
    const auto* range = std::get_if<RangeIds>(&ids.ids());
    const std::int64_t head[] = {static_cast<std::int64_t>(ids.ids().index()), ids.size(),
                                 range ? range->base : 0};
    hash.add(std::span<const std::int64_t>(head));
    each_array(ids, path, [&](const std::string& name, auto values) { hash.add(hash_of(name, values)); });
}

/// A model's attributes, arrays and ids; checked. Throw hdf5::Failed.
void write_model_parts(hdf5::Writer& writer, const Model& model);
Model read_model_parts(hdf5::Reader& reader);

/// Parameters are text attributes of the group "parameters" in `parent`.
void write_parameters(hdf5::Writer& writer, const std::string& parent, const Parameters& parameters);
Parameters read_parameters(const hdf5::Node& parent);

}  // namespace lockstep
