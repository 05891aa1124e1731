// Parts that schedule, model and result files have in common: the IDs of vertices, parameters and the data of
// a model.
#pragma once

#include <map>
#include <string>

#include "hdf5.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/id_map.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep {

using Parameters = std::map<std::string, std::string>;

/// Writes the IDs of one side as group `path`. Throws hdf5::Hdf5Error if an ID is longer than 4096 bytes.
void write_ids(hdf5::Writer& writer, const std::string& path, const IdMap& ids);
/// Writes the IDs of the columns, like write_ids(). If they equal the IDs of the rows, writes only the kind
/// "same-as-rows", which refers to the group row_ids of the same parent.
void write_col_ids(hdf5::Writer& writer, const std::string& path, const IdMap& col_ids, const IdMap& row_ids);

/// Reads the IDs of `size` vertices, and checks that they are distinct, sorted and not too long. Throws
/// hdf5::Hdf5Error. read_col_ids() returns `row_ids` if the group has the kind "same-as-rows".
IdMap read_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size);
IdMap read_col_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size, const IdMap& row_ids);

/// Calls visit(path, values) for each array of the IDs. The path is the name of the array in the file.
template <class Visit>
void for_each_array(const IdMap& ids, const std::string& path, Visit&& visit) {
    if (const auto* integers = std::get_if<IntegerIds>(&ids.ids()))
        visit(path + "/ids", std::span(integers->ids));
    if (const auto* strings = std::get_if<StringIds>(&ids.ids())) {
        visit(path + "/bytes", std::span<const char>(strings->bytes));
        visit(path + "/offsets", std::span(strings->offsets));
    }
}

/// Adds the kind of the IDs and the hashes of their arrays to `hash`. hash_of(path, values) must return the
/// hash of an array.
template <class HashOf>
void add_to_hash(ContentHash& hash, const IdMap& ids, const std::string& path, HashOf&& hash_of) {
    const auto* range = std::get_if<RangeIds>(&ids.ids());
    const std::int64_t head[] = {static_cast<std::int64_t>(ids.ids().index()), ids.size(),
                                 range ? range->base : 0};
    hash.add(std::span<const std::int64_t>(head));
    for_each_array(ids, path, [&](const std::string& name, auto values) { hash.add(hash_of(name, values)); });
}

/// Write and read the attributes, arrays and IDs of a model, and check them. Throw hdf5::Hdf5Error.
void write_model_parts(hdf5::Writer& writer, const Model& model);
Model read_model_parts(hdf5::Reader& reader);

/// Write and read the group "parameters" in the group `parent`. It has one text attribute per parameter.
void write_parameters(hdf5::Writer& writer, const std::string& parent, const Parameters& parameters);
Parameters read_parameters(const hdf5::Node& parent);

}  // namespace lockstep
