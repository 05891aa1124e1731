// Writing of HDF5 files (see hdf5.hpp). The settings used here give every object and every chunk a checksum,
// so that a reader detects damage.
#include <cstring>

#include <fmt/format.h>

#include <algorithm>

#include "hdf5.hpp"
#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/version.hpp"
#include "schema.hpp"
#include "seal.hpp"

namespace lockstep::hdf5 {

namespace {

constexpr std::size_t max_text_bytes = 60'000;  // HDF5 limits the message with an attribute to 64 KiB

Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a text type cannot be made");
    check(H5Tset_size(type.get(), std::max<std::size_t>(size, 1)), "a text type cannot be sized");
    check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "a text type cannot be padded");
    check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "a text type cannot be UTF-8");
    return type;
}

void write_attribute(hid_t object, const std::string& name, const Value& value) {
    const auto write = [&](hid_t file_type, hid_t memory_type, const std::vector<hsize_t>& extent,
                           const void* data) {
        const Handle space(extent.empty()
                               ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                           H5Sclose, "a dataspace cannot be made");
        const Handle attribute(
            H5Acreate2(object, name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
            "attribute '", name, "' cannot be made");
        check(H5Awrite(attribute.get(), memory_type, data), "attribute '" + name + "' cannot be written");
    };
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        write(H5T_STD_I64LE, H5T_NATIVE_INT64, {}, integer);
    } else if (const auto* number = std::get_if<double>(&value)) {
        write(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, number);
    } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        write(H5T_STD_I64LE, H5T_NATIVE_INT64, {list->size()}, list->data());
    } else {
        const auto& text = std::get<std::string>(value);
        if (text.size() > max_text_bytes || (!text.empty() && text.back() == '\0')) {
            throw Hdf5Error(
                fmt::format("attribute '{}' cannot hold this text of {} bytes", name, text.size()));
        }
        const Handle type = text_type(text.size());
        write(type.get(), type.get(), {}, text.c_str());
    }
}

}  // namespace

/// The file that HDF5 writes. If a write fails while HDF5 closes a file, the ID of the file stays valid
/// although its memory is freed, and the process crashes at exit. Therefore this class always reports success
/// to HDF5, stores the first error, and drops all later writes. Writer checks the stored error after every
/// call.
struct Writer::Output : Storage {
    explicit Output(const std::filesystem::path& path) : file(path) {}

    std::uint64_t size() const noexcept override { return end; }
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept override {
        return file.read(offset, data, size);
    }
    int write(std::uint64_t offset, const void* data, std::size_t size) noexcept override {
        if (!error) error = file.write(offset, data, size);
        end = std::max(end, offset + size);
        return 0;
    }
    int truncate(std::uint64_t size) noexcept override {
        if (!error) error = file.truncate(size);
        end = size;
        return 0;
    }

    AtomicFile file;
    int error = 0;
    std::uint64_t end = 0;
};

Writer::Writer(const std::filesystem::path& path, std::string_view format, int deflate)
    : output_(std::make_unique<Output>(path)), deflate_(deflate) {
    file_ = create_file(*output_);
    root_.set(schema::format, std::string(format));
    root_.set(schema::format_version, schema::version);
    root_.set(schema::program, "lockstep " + version() + " (revision " + revision() + ")");
}

Writer::~Writer() = default;

Node& Writer::node(const std::string& path) {
    Node* node = &root_;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string name = path.substr(begin, end - begin);
        Node& next = node->children[name];
        next.path = node->path + "/" + name;
        node = &next;
        begin = end + 1;
    }
    return *node;
}

void Writer::check_output() const {
    if (output_->error) throw Hdf5Error(fmt::format("cannot be written: {}", std::strerror(output_->error)));
}

void Writer::group(const std::string& path) {
    if (path.empty() || !groups_.insert(path).second) return;
    group(path.substr(0, path.rfind('/')));
    const Handle creation = property_list(H5P_GROUP_CREATE);
    keep_compact(creation.get());
    const Handle made(H5Gcreate2(file_.get(), path.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                      H5Gclose, "group ", path, " cannot be made");
}

Handle Writer::make_dataset(const std::string& path, hid_t type, const std::vector<hsize_t>& extent,
                            const std::vector<hsize_t>& chunk) {
    Node& array = node(path);
    array.is_array = true;
    group(array.path.substr(0, array.path.rfind('/')));
    const Handle creation = property_list(H5P_DATASET_CREATE);
    keep_compact(creation.get());
    check(H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()), "chunks cannot be set");
    check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), "the fill time cannot be set");
    if (deflate_ > 0) {
        check(H5Pset_shuffle(creation.get()), "shuffle cannot be set");
        check(H5Pset_deflate(creation.get(), static_cast<unsigned>(deflate_)), "deflate cannot be set");
    }
    check(H5Pset_fletcher32(creation.get()), "checksums cannot be set");
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
                       "a dataspace cannot be made");
    return {H5Dcreate2(file_.get(), array.path.c_str(), type, space.get(), H5P_DEFAULT, creation.get(),
                       H5P_DEFAULT),
            H5Dclose, "dataset ", array.path, " cannot be made"};
}

void Writer::start_flushing() noexcept { output_->file.start_flushing(); }

void Writer::write_attributes(const Node& node) {
    if (!node.is_array) group(node.path);
    const Handle object(H5Oopen(file_.get(), node.path.empty() ? "/" : node.path.c_str(), H5P_DEFAULT),
                        H5Oclose, node.path, " cannot be opened");
    for (const auto& [name, value] : node.attributes) write_attribute(object.get(), name, value);
    for (const auto& [name, child] : node.children) write_attributes(child);
}

void Writer::commit() {
    require_memory();
    root_.set(schema::content_hash, attribute_hash(root_));
    write_attributes(root_);
    file_.close("cannot be closed");
    check_output();
    const std::uint64_t length = output_->size();
    const std::vector<std::byte> seal = make_seal(*output_, length);
    output_->write(length, seal.data(), seal.size());
    check_output();
    output_->file.commit();
}

}  // namespace lockstep::hdf5
