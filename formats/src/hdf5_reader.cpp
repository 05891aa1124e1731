// Reading HDF5 that may be damaged or made to harm: see hdf5.hpp. Every object is looked at before it
// is used; what Lockstep does not write itself is refused, not followed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "hdf5.hpp"
#include "lockstep/formats/memory.hpp"
#include "schema.hpp"
#include "seal.hpp"

namespace lockstep::hdf5 {

namespace {

constexpr int max_depth = 6;
constexpr unsigned max_objects = 10'000, max_objects_a_group = 1'000;
constexpr unsigned max_attributes = 10'000, max_attributes_an_object = 1'000;
constexpr std::size_t max_text_read = 1 << 16, max_list = 1024;

std::string object_name(hid_t object, bool attribute, hsize_t index) {
    const auto read = [&](char* name, std::size_t size) {
        return attribute ? H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, size,
                                              H5P_DEFAULT)
                         : H5Lget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, size,
                                              H5P_DEFAULT);
    };
    const auto size = static_cast<std::size_t>(check(read(nullptr, 0), "a name cannot be read"));
    if (size > max_text_read) throw Failed("a name is longer than 64 KiB");
    std::string name(size + 1, '\0');
    check(read(name.data(), name.size()), "a name cannot be read");
    name.resize(std::strlen(name.c_str()));
    return name;
}

/// Opens a group or dataset; looks at its type before.
Handle open_object(hid_t parent, const std::string& name, const std::string& path) {
    H5O_info_t info;
    check(H5Oget_info_by_name2(parent, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT),
          path + " is damaged");
    if (info.type != H5O_TYPE_GROUP && info.type != H5O_TYPE_DATASET)
        throw Failed(path + " is neither a group nor a dataset");
    return {H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose, path, " cannot be opened"};
}

Value read_value(hid_t attribute, const std::string& what) {
    const Handle type(H5Aget_type(attribute), H5Tclose, what, " has no type");
    const Handle space(H5Aget_space(attribute), H5Sclose, what, " has no dataspace");
    const H5S_class_t shape = H5Sget_simple_extent_type(space.get());
    const int rank = H5Sget_simple_extent_ndims(space.get());
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if ((shape != H5S_SCALAR && shape != H5S_SIMPLE) || rank < 0 || rank > 1 || count < 1 ||
        count > static_cast<hssize_t>(max_list)) {
        throw Failed(what + " has an unexpected shape");
    }
    const auto read = [&](hid_t memory_type, void* data) {
        check(H5Aread(attribute, memory_type, data), what + " cannot be read");
    };
    if (rank == 0 && H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0) {
        const std::size_t size = H5Tget_size(type.get());
        if (size > max_text_read) throw Failed(what + " is longer than 64 KiB");
        std::string text(size, '\0');
        read(type.get(), text.data());
        text.erase(text.find_last_not_of('\0') + 1);
        return text;
    }
    if (rank == 0 && H5Tequal(type.get(), H5T_IEEE_F64LE) > 0) {
        double number = 0;
        read(H5T_NATIVE_DOUBLE, &number);
        return number;
    }
    if (H5Tequal(type.get(), H5T_STD_I64LE) > 0) {
        std::vector<std::int64_t> list(static_cast<std::size_t>(count));
        read(H5T_NATIVE_INT64, list.data());
        if (rank == 0) return list[0];
        return list;
    }
    throw Failed(what + " has an unexpected type; expected a 64-bit integer or float, or fixed-length text");
}

}  // namespace

Reader::Reader(const std::filesystem::path& path, std::string_view format)
    : bytes_(std::make_unique<SealedFile>(path)), file_(open_file(*bytes_)), memory_left_(physical_memory()) {
    const Handle top = open_object(file_.get(), "/", "the root group");
    read_attributes(root_, top.get());
    check_version(format);
    walk(root_, top.get(), 0);
    if (root_.text(schema::content_hash) != attribute_hash(root_)) {
        throw Failed(
            "its attributes do not agree with their content hash: the file is damaged or was changed");
    }
}

Reader::~Reader() = default;

void Reader::check_version(std::string_view format) {
    if (!root_.attributes.contains(schema::format))
        throw Failed("is an HDF5 file, but not one of Lockstep's");
    const std::string& found = root_.text(schema::format);
    constexpr std::array known{schema::schedules_format, schema::model_format, schema::ranks_format,
                               schema::result_format};
    if (format.empty() ? std::find(known.begin(), known.end(), found) == known.end() : found != format) {
        throw Failed(fmt::format("is a {} file; expected {}", found,
                                 format.empty() ? fmt::format("{}", fmt::join(known, ", ")) : format));
    }
    const std::string& version = root_.text(schema::format_version);
    int major = 0, minor = 0;
    const char* end = version.data() + version.size();
    const auto first = std::from_chars(version.data(), end, major);
    bool valid = first.ec == std::errc() && first.ptr != end && *first.ptr == '.';
    if (valid) {
        const auto second = std::from_chars(first.ptr + 1, end, minor);
        valid = second.ec == std::errc() && second.ptr == end && major >= 0 && minor >= 0;
    }
    if (!valid) throw Failed(fmt::format("has format version \"{}\"; expected MAJOR.MINOR", version));
    if (major != schema::major_version) {
        throw Failed(fmt::format("was written by {} Lockstep, format {}; this program reads {}.x",
                                 major > schema::major_version ? "a newer" : "an older", version,
                                 schema::major_version));
    }
    if (!bytes_->sealed() && minor >= schema::first_sealed_minor_version) {
        throw Failed("has lost its seal: it is damaged, or another program has opened it for writing");
    }
}

void Reader::read_attributes(Node& node, hid_t object) {
    H5O_info_t info;
    check(H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS), node.path + "/ cannot be examined");
    if (info.num_attrs > max_attributes_an_object ||
        (attributes_ += static_cast<unsigned>(info.num_attrs)) > max_attributes) {
        throw Failed(
            fmt::format("{}/ has {} attributes, more than Lockstep writes", node.path, info.num_attrs));
    }
    for (hsize_t i = 0; i < info.num_attrs; ++i) {
        const std::string name = object_name(object, true, i);
        const std::string what = fmt::format("attribute '{}' of {}/", name, node.path);
        const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what,
                               " cannot be opened");
        node.attributes[name] = read_value(attribute.get(), what);
    }
}

void Reader::walk(Node& node, hid_t object, int depth) {
    if (depth > max_depth) throw Failed(node.path + " is nested too deeply");
    H5G_info_t info;
    check(H5Gget_info(object, &info), node.path + "/ cannot be examined");
    if (info.nlinks > max_objects_a_group || (objects_ += static_cast<unsigned>(info.nlinks)) > max_objects) {
        throw Failed("the file has more objects than Lockstep writes");
    }
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        const std::string name = object_name(object, false, i);
        Node& child = node.children[name];
        child.path = node.path + "/" + name;
        H5L_info_t link;
        check(H5Lget_info(object, name.c_str(), &link, H5P_DEFAULT), child.path + " cannot be examined");
        if (link.type != H5L_TYPE_HARD) {
            throw Failed(
                child.path +
                " is a link to somewhere else (soft, external or user-defined), which is not followed");
        }
        const Handle opened = open_object(object, name, child.path);
        child.is_array = H5Iget_type(opened.get()) == H5I_DATASET;
        read_attributes(child, opened.get());
        if (!child.is_array) walk(child, opened.get(), depth + 1);
    }
}

}  // namespace lockstep::hdf5
