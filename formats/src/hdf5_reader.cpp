// Reading of HDF5 files that may be damaged or malicious (see hdf5.hpp). Every object is checked before it is
// used, and features of HDF5 that Lockstep does not use are refused.
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
constexpr std::uint64_t max_chunk_bytes = 16 << 20;
// Maximum compression ratio of zlib, which it reaches for zeros.
constexpr std::uint64_t max_deflate_ratio = 1032;

/// Returns the name of the attribute or link of `object` with the given index.
std::string object_name(hid_t object, bool attribute, hsize_t index) {
    const auto read = [&](char* name, std::size_t size) {
        return attribute ? H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, size,
                                              H5P_DEFAULT)
                         : H5Lget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, size,
                                              H5P_DEFAULT);
    };
    const auto size = static_cast<std::size_t>(check(read(nullptr, 0), "a name cannot be read"));
    if (size > max_text_read) throw Hdf5Error("a name is longer than 64 KiB");
    std::string name(size + 1, '\0');
    check(read(name.data(), name.size()), "a name cannot be read");
    name.resize(std::strlen(name.c_str()));
    return name;
}

/// Opens a group or a dataset. Throws Hdf5Error for objects of other types.
Handle open_object(hid_t parent, const std::string& name, const std::string& path) {
    H5O_info_t info;
    check(H5Oget_info_by_name2(parent, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT),
          path + " is damaged");
    if (info.type != H5O_TYPE_GROUP && info.type != H5O_TYPE_DATASET)
        throw Hdf5Error(path + " is neither a group nor a dataset");
    return {H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose, path, " cannot be opened"};
}

/// Returns the value of an attribute. Throws Hdf5Error if its type or shape is not one that Lockstep writes.
Value read_value(hid_t attribute, const std::string& what) {
    const Handle type(H5Aget_type(attribute), H5Tclose, what, " has no type");
    const Handle space(H5Aget_space(attribute), H5Sclose, what, " has no dataspace");
    const H5S_class_t shape = H5Sget_simple_extent_type(space.get());
    const int rank = H5Sget_simple_extent_ndims(space.get());
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if ((shape != H5S_SCALAR && shape != H5S_SIMPLE) || rank < 0 || rank > 1 || count < 1 ||
        count > static_cast<hssize_t>(max_list)) {
        throw Hdf5Error(what + " has an unexpected shape");
    }
    const auto read = [&](hid_t memory_type, void* data) {
        check(H5Aread(attribute, memory_type, data), what + " cannot be read");
    };
    if (rank == 0 && H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0) {
        const std::size_t size = H5Tget_size(type.get());
        if (size > max_text_read) throw Hdf5Error(what + " is longer than 64 KiB");
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
    throw Hdf5Error(what +
                    " has an unexpected type; expected a 64-bit integer or float, or fixed-length text");
}

/// Returns the product of the extents and `element_bytes`. Throws Hdf5Error if it exceeds 64 bits.
std::uint64_t product(const std::vector<hsize_t>& extent, std::uint64_t element_bytes,
                      const std::string& what) {
    std::uint64_t bytes = element_bytes;
    for (const hsize_t n : extent) {
        if (__builtin_mul_overflow(bytes, n, &bytes)) throw Hdf5Error(what + " declares an impossible size");
    }
    return bytes;
}

}  // namespace

Reader::Reader(const std::filesystem::path& path, std::string_view format)
    : bytes_(std::make_unique<SealedFile>(path)), file_(open_file(*bytes_)), memory_left_(physical_memory()) {
    const Handle top = open_object(file_.get(), "/", "the root group");
    read_attributes(root_, top.get());
    check_version(format);
    walk(root_, top.get(), 0);
    if (root_.text(schema::content_hash) != attribute_hash(root_)) {
        throw Hdf5Error(
            "its attributes do not agree with their content hash: the file is damaged or was changed");
    }
}

Reader::~Reader() = default;

void Reader::check_version(std::string_view format) {
    if (!root_.attributes.contains(schema::format))
        throw Hdf5Error("is an HDF5 file, but not one of Lockstep's");
    const std::string& found = root_.text(schema::format);
    constexpr std::array known{schema::schedules_format, schema::model_format, schema::ranks_format,
                               schema::result_format};
    if (format.empty() ? std::find(known.begin(), known.end(), found) == known.end() : found != format) {
        throw Hdf5Error(fmt::format("is a {} file; expected {}", found,
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
    if (!valid) throw Hdf5Error(fmt::format("has format version \"{}\"; expected MAJOR.MINOR", version));
    if (major != schema::major_version) {
        throw Hdf5Error(fmt::format("was written by {} Lockstep, format {}; this program reads {}.x",
                                    major > schema::major_version ? "a newer" : "an older", version,
                                    schema::major_version));
    }
    if (!bytes_->sealed() && minor >= schema::first_sealed_minor_version) {
        throw Hdf5Error("has lost its seal: it is damaged, or another program has opened it for writing");
    }
}

void Reader::read_attributes(Node& node, hid_t object) {
    H5O_info_t info;
    check(H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS), node.path + "/ cannot be examined");
    if (info.num_attrs > max_attributes_an_object ||
        (attributes_ += static_cast<unsigned>(info.num_attrs)) > max_attributes) {
        throw Hdf5Error(
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
    if (depth > max_depth) throw Hdf5Error(node.path + " is nested too deeply");
    H5G_info_t info;
    check(H5Gget_info(object, &info), node.path + "/ cannot be examined");
    if (info.nlinks > max_objects_a_group || (objects_ += static_cast<unsigned>(info.nlinks)) > max_objects) {
        throw Hdf5Error("the file has more objects than Lockstep writes");
    }
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        const std::string name = object_name(object, false, i);
        Node& child = node.children[name];
        child.path = node.path + "/" + name;
        H5L_info_t link;
        check(H5Lget_info(object, name.c_str(), &link, H5P_DEFAULT), child.path + " cannot be examined");
        if (link.type != H5L_TYPE_HARD) {
            throw Hdf5Error(
                child.path +
                " is a link to somewhere else (soft, external or user-defined), which is not followed");
        }
        const Handle opened = open_object(object, name, child.path);
        child.is_array = H5Iget_type(opened.get()) == H5I_DATASET;
        read_attributes(child, opened.get());
        if (!child.is_array) walk(child, opened.get(), depth + 1);
    }
}

/// Checks that an array has a type, layout, size and filters that Lockstep supports, and that the sizes which
/// it declares agree with the stored bytes. Returns how to read it.
StoredArray Reader::check_array(const std::string& path, Handle dataset, const ArrayTypes& types) {
    const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose, path, " has no properties");
    const Handle type(H5Dget_type(dataset.get()), H5Tclose, path, " has no type");
    const Handle space(H5Dget_space(dataset.get()), H5Sclose, path, " has no dataspace");
    if (std::none_of(types.file.begin(), types.file.end(),
                     [&](hid_t t) { return H5Tequal(type.get(), t) > 0; })) {
        throw Hdf5Error(path + " has an unexpected element type");
    }
    if (H5Pget_layout(creation.get()) != H5D_CHUNKED || H5Pget_external_count(creation.get()) != 0) {
        throw Hdf5Error(
            path + " is not stored in chunks of this file (it is contiguous, compact, external or virtual)");
    }
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE || rank < 1 || rank > 2) {
        throw Hdf5Error(path + " has an unexpected rank");
    }
    std::vector<hsize_t> extent(static_cast<std::size_t>(rank)), limit = extent, chunk = extent;
    check(H5Sget_simple_extent_dims(space.get(), extent.data(), limit.data()), path + " has no extent");
    check(H5Pget_chunk(creation.get(), rank, chunk.data()), path + " has no chunk size");
    if (limit != extent) throw Hdf5Error(path + " is extensible; expected a fixed size");

    bool deflated = false, shuffled = false;
    const int filters = check(H5Pget_nfilters(creation.get()), path + " has no filters");
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &values,
                                                   nullptr, 0, nullptr, &config);
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_FLETCHER32) {
            throw Hdf5Error(fmt::format(
                "{} uses HDF5 filter {}; only shuffle, deflate and Fletcher32 are accepted", path, filter));
        }
        // A second deflate filter would square the maximum compression ratio, on which the check of the size
        // below relies.
        if (filter == H5Z_FILTER_DEFLATE && std::exchange(deflated, true))
            throw Hdf5Error(path + " is deflated twice");
        shuffled |= filter == H5Z_FILTER_SHUFFLE;
    }

    const std::size_t entry_bytes = H5Tget_size(type.get());
    if (product(chunk, entry_bytes, path) > max_chunk_bytes)
        throw Hdf5Error(path + " has chunks of more than 16 MiB");
    const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset.get()), bytes_->size());
    const std::uint64_t stored_bytes = product(extent, entry_bytes, path);
    if (stored_bytes / (deflated ? max_deflate_ratio : 1) > stored) {
        throw Hdf5Error(
            fmt::format("{} declares {} bytes, but the file stores {}", path, stored_bytes, stored));
    }
    // This product is computed only to throw if the size in memory exceeds 64 bits.
    product(extent, H5Tget_size(types.memory), path);

    const std::uint64_t width = rank > 1 ? extent[1] : 0;
    const Chunks chunks(product(extent, 1, path), entry_bytes, width);
    const bool as_written = filters == 1 && !deflated && !shuffled &&
                            product(chunk, 1, path) == chunks.length && (rank == 1 || chunk[1] == width);
    return {path, std::move(dataset), std::move(extent), chunks, as_written};
}

std::optional<StoredArray> Reader::find_array(const std::string& path, std::optional<std::uint64_t> count,
                                              std::uint64_t width, const ArrayTypes& types) {
    const std::string full = "/" + path;
    const Node* node = &root_;
    for (std::size_t begin = 1, end; (end = full.find('/', begin)) != full.npos; begin = end + 1) {
        node = &node->child(full.substr(begin, end - begin));
    }
    const std::string name = full.substr(full.rfind('/') + 1);
    if (!node->has_array(name)) {
        if (count.value_or(0) * std::max<std::uint64_t>(width, 1) != 0)
            throw Hdf5Error("there is no dataset " + full + "; is the file complete?");
        return std::nullopt;
    }
    StoredArray array = check_array(
        full, Handle(H5Dopen2(file_.get(), full.c_str(), H5P_DEFAULT), H5Dclose, full, " cannot be opened"),
        types);
    const auto& extent = array.extent;
    if (extent.size() != (width ? 2 : 1))
        throw Hdf5Error(fmt::format("{} has rank {}; expected {}", full, extent.size(), width ? 2 : 1));
    if ((count && *count != extent[0]) || (width && extent[1] != width)) {
        throw Hdf5Error(fmt::format(
            "{} has extent {}; expected {}", full, fmt::join(extent, " x "),
            width ? fmt::format("{} x {}", count.value_or(extent[0]), width) : std::to_string(*count)));
    }
    array.hash = node->children.at(name).text(schema::hash);
    return array;
}

}  // namespace lockstep::hdf5
