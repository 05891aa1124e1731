#include "matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "../schema.hpp"

namespace lockstep::readers {

using hdf5::check;
using hdf5::Handle;
using hdf5::Hdf5Error;

namespace {

constexpr std::uint64_t max_chunk_bytes = 16 << 20;
constexpr std::uint64_t max_deflate_ratio = 1032;
constexpr std::size_t max_text_bytes = 1 << 16, max_children = 1000;
constexpr std::uint64_t strings_at_once = 4096;

/// An open array of one dimension whose size was checked against the stored bytes, and whose data are in this
/// file.
struct CheckedArray {
    std::string path;
    Handle dataset, type, space;
    std::uint64_t size = 0, chunk = 0;

    /// Reads the entries begin … begin + count - 1, converted to `to`. Returns the result of HDF5.
    herr_t read(hid_t to, hsize_t begin, hsize_t count, void* values, hid_t transfer = H5P_DEFAULT) const {
        hdf5::require_memory();
        const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose, "a dataspace cannot be made");
        check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr),
              path + " cannot be read");
        return H5Dread(dataset.get(), to, memory.get(), space.get(), transfer, values);
    }
    void check_read(herr_t result) const { check(result, path + " cannot be read, it is damaged"); }
};

/// Throws Hdf5Error if the array has a filter other than shuffle, deflate (at most once) and Fletcher32.
void check_filters(hid_t creation, const std::string& path, bool& deflated) {
    const int filters = check(H5Pget_nfilters(creation), path + " has no filters");
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        char name[32] = {};
        const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                                   nullptr, sizeof name - 1, name, &config);
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_FLETCHER32) {
            throw Hdf5Error(
                fmt::format("{} is compressed by HDF5 filter {}{}; expected gzip or none (in Python: "
                            "adata.write_h5ad(\"new.h5ad\", "
                            "compression=\"gzip\"); or h5repack -f GZIP=1)",
                            path, filter, filter == 32000 ? " (LZF)" : ""));
        }
        if (filter == H5Z_FILTER_DEFLATE && std::exchange(deflated, true))
            throw Hdf5Error(path + " is deflated twice");
    }
}

/// Opens an array of one dimension, and checks its layout, filters and size.
CheckedArray open_array(hid_t file, const std::string& path, std::uint64_t file_bytes) {
    CheckedArray array{
        path, {H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, path, " cannot be opened"}, {}, {}};
    const hid_t dataset = array.dataset.get();
    array.type = Handle(H5Dget_type(dataset), H5Tclose, path, " has no type");
    array.space = Handle(H5Dget_space(dataset), H5Sclose, path, " has no dataspace");
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose, path, " has no properties");
    const H5D_layout_t layout = H5Pget_layout(creation.get());
    if (layout == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0)
        throw Hdf5Error(path + " is stored in other files, which are not opened");
    if (H5Sget_simple_extent_type(array.space.get()) != H5S_SIMPLE ||
        H5Sget_simple_extent_ndims(array.space.get()) != 1)
        throw Hdf5Error(path + " is not an array of rank 1");
    hsize_t extent = 0, chunk = 0;
    check(H5Sget_simple_extent_dims(array.space.get(), &extent, nullptr), path + " has no extent");
    bool deflated = false;
    check_filters(creation.get(), path, deflated);
    const std::size_t entry_bytes = std::max<std::size_t>(H5Tget_size(array.type.get()), 1);
    if (layout == H5D_CHUNKED) {
        check(H5Pget_chunk(creation.get(), 1, &chunk), path + " has no chunk size");
        if (chunk > max_chunk_bytes / entry_bytes) throw Hdf5Error(path + " has chunks of more than 16 MiB");
    }
    const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset), file_bytes);
    if (extent / (deflated ? max_deflate_ratio : 1) > stored / entry_bytes)
        throw Hdf5Error(
            fmt::format("{} declares {} entries, but the file stores {} bytes", path, extent, stored));
    array.size = extent;
    array.chunk = chunk;
    return array;
}

/// An array of numbers in an HDF5 file.
class Numbers : public NumberArray {
public:
    explicit Numbers(CheckedArray array) : array_(std::move(array)) {
        const H5T_class_t kind = H5Tget_class(array_.type.get());
        whole_ = kind == H5T_INTEGER;
        // h5py stores booleans as an enumeration with the values 0 and 1.
        if (!whole_ && kind != H5T_FLOAT && kind != H5T_ENUM)
            throw Hdf5Error(array_.path + " does not contain numbers");
    }
    std::uint64_t size() const override { return array_.size; }
    const std::string& name() const override { return array_.path; }
    std::uint64_t piece() const override { return std::max<std::uint64_t>(1 << 18, array_.chunk); }
    void read(std::uint64_t begin, std::span<std::int64_t> values) override {
        if (!whole_) throw Hdf5Error(name() + " does not contain whole numbers");
        read_as(H5T_NATIVE_INT64, begin, values.data(), values.size());
    }
    void read(std::uint64_t begin, std::span<float> values) override {
        read_as(H5T_NATIVE_FLOAT, begin, values.data(), values.size());
    }

private:
    void read_as(hid_t type, hsize_t begin, void* values, hsize_t count) {
        if (count > 0) array_.check_read(array_.read(type, begin, count, values));
    }

    CheckedArray array_;
    bool whole_;
};

std::string until_nul(const char* text, std::size_t size) { return {text, strnlen(text, size)}; }

/// The memory into which HDF5 reads texts of variable length. It is limited to the size of `count` IDs of
/// maximum length, because HDF5 does not check the lengths that the file states.
class Texts {
public:
    explicit Texts(std::size_t count) : left_(count * (schema::max_id_bytes + 1)) { texts_.reserve(count); }

    bool too_long = false;

    static void* take(std::size_t bytes, void* self) {
        Texts& texts = *static_cast<Texts*>(self);
        texts.too_long = bytes > texts.left_ || texts.texts_.size() == texts.texts_.capacity();
        if (texts.too_long) return nullptr;
        texts.texts_.emplace_back(std::malloc(bytes), std::free);
        texts.left_ -= bytes;
        return texts.texts_.back().get();
    }
    static void give_back(void*, void*) {}

private:
    std::size_t left_;
    std::vector<std::unique_ptr<void, decltype(&std::free)>> texts_;
};

/// Reads the texts begin … begin + count - 1 of an array of texts of variable length. Does not call
/// H5Dvlen_get_buf_size for their total length first, because that takes 50 microseconds per text.
void read_variable(const CheckedArray& array, hsize_t begin, hsize_t count, std::vector<std::string>& texts) {
    Texts read(count);
    const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "a property list cannot be made");
    check(H5Pset_vlen_mem_manager(transfer.get(), Texts::take, &read, Texts::give_back, &read),
          "a property list cannot be set");
    std::vector<char*> pointers(count, nullptr);
    const herr_t done =
        array.read(array.type.get(), begin, count, static_cast<void*>(pointers.data()), transfer.get());
    if (read.too_long)
        throw Hdf5Error(fmt::format("{} has names of more than {} bytes", array.path, schema::max_id_bytes));
    array.check_read(done);
    for (const char* text : pointers) texts.emplace_back(text ? text : "");
}

}  // namespace

MatrixFile::MatrixFile(const std::filesystem::path& path) : bytes_(path), file_(hdf5::open_file(bytes_)) {}

MatrixFile::Kind MatrixFile::kind(const std::string& path) const {
    for (std::size_t end = 0; end != path.npos;) {
        end = path.find('/', end + 1);
        const std::string part = path.substr(0, end);
        if (H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT) <= 0) return Kind::absent;
        H5L_info_t link;
        check(H5Lget_info(file_.get(), part.c_str(), &link, H5P_DEFAULT), part + " cannot be examined");
        if (link.type != H5L_TYPE_HARD)
            throw Hdf5Error(part + " is a link to somewhere else, which is not followed");
    }
    H5O_info_t info;
    check(H5Oget_info_by_name2(file_.get(), path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT),
          path + " is damaged");
    if (info.type == H5O_TYPE_GROUP) return Kind::group;
    return info.type == H5O_TYPE_DATASET ? Kind::dataset : Kind::absent;
}

std::vector<std::string> MatrixFile::children(const std::string& path) const {
    const Handle group(H5Gopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Gclose, path, " cannot be opened");
    H5G_info_t info;
    check(H5Gget_info(group.get(), &info), path + " cannot be examined");
    std::vector<std::string> names;
    for (hsize_t i = 0; i < std::min<hsize_t>(info.nlinks, max_children); ++i) {
        char name[256] = {};
        check(H5Lget_name_by_idx(group.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                                 H5P_DEFAULT),
              "a name cannot be read");
        names.push_back(until_nul(name, sizeof name));
    }
    return names;
}

std::optional<std::string> MatrixFile::text(const std::string& path, const std::string& name) const {
    if (H5Aexists_by_name(file_.get(), path.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
    const Handle attribute(H5Aopen_by_name(file_.get(), path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, "attribute ", name, " cannot be opened");
    const Handle type(H5Aget_type(attribute.get()), H5Tclose, name, " has no type");
    const Handle space(H5Aget_space(attribute.get()), H5Sclose, name, " has no dataspace");
    if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1)
        return std::nullopt;
    if (H5Tis_variable_str(type.get()) > 0) {
        char* text = nullptr;
        check(H5Aread(attribute.get(), type.get(), &text), "attribute " + name + " cannot be read");
        std::string copy = text ? text : "";
        H5free_memory(text);
        return copy;
    }
    const std::size_t size = H5Tget_size(type.get());
    if (size > max_text_bytes) return std::nullopt;
    std::string text(size, '\0');
    check(H5Aread(attribute.get(), type.get(), text.data()), "attribute " + name + " cannot be read");
    return until_nul(text.data(), size);
}

std::vector<std::int64_t> MatrixFile::integers(const std::string& path, const std::string& name) const {
    if (H5Aexists_by_name(file_.get(), path.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return {};
    const Handle attribute(H5Aopen_by_name(file_.get(), path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, "attribute ", name, " cannot be opened");
    const Handle type(H5Aget_type(attribute.get()), H5Tclose, name, " has no type");
    const Handle space(H5Aget_space(attribute.get()), H5Sclose, name, " has no dataspace");
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (H5Tget_class(type.get()) != H5T_INTEGER || count < 1 || count > 8) return {};
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    check(H5Aread(attribute.get(), H5T_NATIVE_INT64, values.data()), "attribute " + name + " cannot be read");
    return values;
}

std::vector<std::uint64_t> MatrixFile::extent(const std::string& path) const {
    const Handle dataset(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose, path,
                         " cannot be opened");
    const Handle space(H5Dget_space(dataset.get()), H5Sclose, path, " has no dataspace");
    std::vector<hsize_t> extent(
        static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
    check(H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr), path + " has no extent");
    return {extent.begin(), extent.end()};
}

std::unique_ptr<NumberArray> MatrixFile::numbers(const std::string& path) const {
    if (kind(path) != Kind::dataset) throw Hdf5Error("there is no array " + path);
    return std::make_unique<Numbers>(open_array(file_.get(), path, bytes_.size()));
}

std::vector<std::string> MatrixFile::strings(const std::string& path) const {
    if (kind(path) != Kind::dataset) throw Hdf5Error("there is no array " + path + " of names");
    CheckedArray array = open_array(file_.get(), path, bytes_.size());
    std::vector<std::string> texts;
    if (H5Tget_class(array.type.get()) == H5T_INTEGER) {
        for (const std::int64_t number : Numbers(std::move(array)).all())
            texts.push_back(std::to_string(number));
        return texts;
    }
    if (H5Tget_class(array.type.get()) != H5T_STRING)
        throw Hdf5Error(path + " does not contain names as text");
    const bool variable = H5Tis_variable_str(array.type.get()) > 0;
    const std::size_t bytes = H5Tget_size(array.type.get());
    if (!variable && bytes > schema::max_id_bytes)
        throw Hdf5Error(fmt::format("{} has names of more than {} bytes", path, schema::max_id_bytes));
    for (hsize_t begin = 0; begin < array.size; begin += strings_at_once) {
        const hsize_t count = std::min<std::uint64_t>(strings_at_once, array.size - begin);
        if (variable) {
            read_variable(array, begin, count, texts);
            continue;
        }
        std::string all(count * bytes, '\0');
        array.check_read(array.read(array.type.get(), begin, count, all.data()));
        for (std::size_t i = 0; i < count; ++i) texts.push_back(until_nul(all.data() + i * bytes, bytes));
    }
    return texts;
}

}  // namespace lockstep::readers
