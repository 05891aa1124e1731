// Parts that the schedule file and the model file share: id maps and parameters.
#pragma once

#include <map>
#include <string>

#include "hdf5.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep {

using Parameters = std::map<std::string, std::string>;

/// Writes the group `path` of one side's ids. Throws hdf5::Failed on an id of more than 4096 bytes.
void write_ids(hdf5::Writer& writer, const std::string& path, const IdMap& ids);
/// As write_ids, or a mark that they are the ids of the rows (group row_ids beside `path`).
void write_col_ids(hdf5::Writer& writer, const std::string& path, const IdMap& col_ids, const IdMap& row_ids);

/// Reads and checks the ids of `size` vertices: distinct, sorted, bounded. Throws hdf5::Failed.
IdMap read_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size);
IdMap read_col_ids(hdf5::Reader& reader, const hdf5::Node& group, VertexId size, const IdMap& row_ids);

void add_to_hash(ContentHash& hash, const IdMap& ids);

/// Parameters are text attributes of the group "parameters" in `parent`.
void write_parameters(hdf5::Writer& writer, const std::string& parent, const Parameters& parameters);
Parameters read_parameters(const hdf5::Node& parent);

}  // namespace lockstep
