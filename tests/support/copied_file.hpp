// Copies a file with Lockstep's own reader and writer, so that a copy with changes has right hashes.
#pragma once

#include <string>

#include "../../formats/src/hdf5.hpp"

namespace lockstep::test {

template <class T>
void copy_array(hdf5::Reader& reader, hdf5::Writer& writer, const std::string& path) {
    const std::vector<T> values = reader.read<std::vector<T>>(path);
    writer.write(path, std::span<const T>(values));
}

/// Copies the groups, attributes and arrays from `node` on, except the arrays of the node `without`.
inline void copy(hdf5::Reader& reader, hdf5::Writer& writer, const hdf5::Node& node,
                 const std::string& without = "/none") {
    const std::string path = node.path.empty() ? "" : node.path.substr(1);
    writer.node(path).attributes = node.attributes;
    for (const auto& [name, child] : node.children) {
        const std::string from = child.path.substr(1);
        if (!child.is_array)
            copy(reader, writer, child, without);
        else if (node.path == without)
            continue;
        else if (name == "indices" || name == "residents" || name == "row_order" || name == "col_order")
            copy_array<std::uint32_t>(reader, writer, from);
        else if (name == "data")
            copy_array<float>(reader, writer, from);
        else if (name == "bytes")
            copy_array<char>(reader, writer, from);
        else if (name == "ids")
            copy_array<std::int64_t>(reader, writer, from);
        else
            copy_array<std::uint64_t>(reader, writer, from);
    }
}

}  // namespace lockstep::test
