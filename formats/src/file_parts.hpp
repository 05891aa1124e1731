// Parts that the schedule file, the model file and the result file share: id maps and parameters.
#pragma once

#include <map>
#include <string>

#include "hdf5.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/id_map.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep {

using Parameters = std::map<std::string, std::string>;

/// Writes the ids of one side as group `path`. Throws hdf5::Failed if an id is longer than 4096 bytes.
void write_ids(hdf5::Writer& writer, const std::string& path, const IdMap& ids);
/// Writes the ids of the columns like write_ids. If they equal the ids of the rows, writes only a marker,
/// which refers to the group row_ids in the same parent.
void write_col_ids(hdf5::Writer& writer, const std::string& path, const IdMap& col_ids, const IdMap& row_ids);

/// Reads and checks the ids of `size` vertices: distinct, sorted, bounded. Throws hdf5::Failed.
IdMap read_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size);
IdMap read_col_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size, const IdMap& row_ids);

/// Calls `visit(path, values)` for each array of the ids, with its name in the file.
template <class Visit>
void each_array(const IdMap& ids, const std::string& path, Visit&& visit) {
    if (const auto* integers = std::get_if<IntegerIds>(&ids.ids()))
        visit(path + "/ids", std::span(integers->ids));
    if (const auto* strings = std::get_if<StringIds>(&ids.ids())) {
        visit(path + "/bytes", std::span<const char>(strings->bytes));
        visit(path + "/offsets", std::span(strings->offsets));
    }
}

/// Adds the kind of the ids and the hashes of their arrays, which `hash_of(path, values)` returns, to a hash.
template <class HashOf>
void add_to_hash(ContentHash& hash, const IdMap& ids, const std::string& path, HashOf&& hash_of) {
    const auto* range = std::get_if<RangeIds>(&ids.ids());
    const std::int64_t head[] = {static_cast<std::int64_t>(ids.ids().index()), ids.size(),
                                 range ? range->base : 0};
    hash.add(std::span<const std::int64_t>(head));
    each_array(ids, path, [&](const std::string& name, auto values) { hash.add(hash_of(name, values)); });
}

/// The next two functions write and read the attributes, arrays and ids of a model, and check them. Both
/// throw hdf5::Failed.
void write_model_parts(hdf5::Writer& writer, const Model& model);
Model read_model_parts(hdf5::Reader& reader);

/// The next two functions write and read parameters: text attributes of the group "parameters" in `parent`.
void write_parameters(hdf5::Writer& writer, const std::string& parent, const Parameters& parameters);
Parameters read_parameters(const hdf5::Node& parent);

}  // namespace lockstep
