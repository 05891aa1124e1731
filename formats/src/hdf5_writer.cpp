// Writing HDF5: see hdf5.hpp. The settings are those that let a damaged file be told from a good one
// (every object and every chunk carries a checksum).
#include <cstring>

#include <fmt/format.h>

#include <algorithm>

#include "atomic_file.hpp"
#include "hdf5.hpp"
#include "lockstep/formats/version.hpp"
#include "schema.hpp"

namespace lockstep::hdf5 {

namespace {

constexpr std::size_t max_text_bytes = 60'000;  // an object header message holds at most 64 KiB

/// Our HDF5 file driver. HDF5 does not survive a write that fails while it closes a file: the id stays
/// behind with freed memory, and the process dies at exit. So this driver keeps the first error to
/// itself, drops what is written after it, and Writer asks for it after every call.
struct DriverFile : H5FD_t {
    AtomicFile* file = nullptr;
    int* error = nullptr;
    haddr_t allocated = 0, end = 0;
};
struct DriverInfo {
    AtomicFile* file;
    int* error;
};

DriverFile& self(H5FD_t* file) { return *static_cast<DriverFile*>(file); }
const DriverFile& self(const H5FD_t* file) { return *static_cast<const DriverFile*>(file); }

H5FD_t* driver_open(const char*, unsigned, hid_t access, haddr_t) {
    const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
    auto* file = new (std::nothrow) DriverFile{};
    if (file && info) file->file = info->file, file->error = info->error;
    return file;
}

herr_t driver_close(H5FD_t* file) {
    delete &self(file);
    return 0;
}

herr_t driver_query(const H5FD_t*, unsigned long* flags) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) { return self(file).allocated; }

herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    self(file).allocated = address;
    return 0;
}

haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) { return self(file).end; }

herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
    const int error = self(file).file->read(address, buffer, size);
    if (error && !*self(file).error) *self(file).error = error;
    return error ? -1 : 0;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
    DriverFile& f = self(file);
    if (!*f.error) *f.error = f.file->write(address, buffer, size);
    f.end = std::max<haddr_t>(f.end, address + size);
    return 0;
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
    DriverFile& f = self(file);
    if (f.end == f.allocated) return 0;
    if (!*f.error) *f.error = f.file->truncate(f.allocated);
    f.end = f.allocated;
    return 0;
}

Handle register_driver() {
    H5FD_class_t driver{};
    driver.name = "lockstep-atomic";
    driver.maxaddr = haddr_t{1} << 62;
    driver.fc_degree = H5F_CLOSE_SEMI;
    driver.fapl_size = sizeof(DriverInfo);
    driver.open = driver_open;
    driver.close = driver_close;
    driver.query = driver_query;
    driver.get_eoa = driver_get_eoa;
    driver.set_eoa = driver_set_eoa;
    driver.get_eof = driver_get_eof;
    driver.read = driver_read;
    driver.write = driver_write;
    driver.truncate = driver_truncate;
    constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), driver.fl_map);
    return {H5FDregister(&driver), H5FDunregister, "the file driver cannot be registered"};
}

/// Attributes and links stay in the object header, which carries a checksum.
void keep_compact(hid_t creation) {
    check(H5Pset_attr_phase_change(creation, 65535, 65535), "attribute storage cannot be set");
    if (H5Pisa_class(creation, H5P_GROUP_CREATE) > 0) {
        check(H5Pset_link_phase_change(creation, 65535, 65535), "link storage cannot be set");
    }
    // No times inside: the same content gives the same bytes.
    check(H5Pset_obj_track_times(creation, false), "time stamps cannot be turned off");
}

Handle property_list(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "a property list cannot be made"}; }

Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a text type cannot be made");
    check(H5Tset_size(type.get(), std::max<std::size_t>(size, 1)), "a text type cannot be sized");
    check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "a text type cannot be padded");
    check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "a text type cannot be UTF-8");
    return type;
}

void write_attribute(hid_t object, const std::string& name, const Value& value) {
    const auto write = [&](hid_t file_type, hid_t memory_type, const std::vector<hsize_t>& extent, const void* data) {
        const Handle space(extent.empty() ? H5Screate(H5S_SCALAR)
                                          : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                           H5Sclose, "a dataspace cannot be made");
        const Handle attribute(H5Acreate2(object, name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, "attribute '" + name + "' cannot be made");
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
            throw Failed(fmt::format("attribute '{}' cannot hold this text of {} bytes", name, text.size()));
        }
        const Handle type = text_type(text.size());
        write(type.get(), type.get(), {}, text.c_str());
    }
}

}  // namespace

struct Writer::Output {
    explicit Output(const std::filesystem::path& path) : file(path) {}
    AtomicFile file;
    int error = 0;
    Handle driver;
};

Writer::Writer(const std::filesystem::path& path, const char* format, int deflate)
    : output_(std::make_unique<Output>(path)), deflate_(deflate) {
    output_->driver = register_driver();
    const Handle access = property_list(H5P_FILE_ACCESS), creation = property_list(H5P_FILE_CREATE);
    const DriverInfo info{&output_->file, &output_->error};
    check(H5Pset_driver(access.get(), output_->driver.get(), &info), "the file driver cannot be set");
    check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "the HDF5 format cannot be set");
    check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_SEMI), "the close degree cannot be set");
    keep_compact(creation.get());
    file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation.get(), access.get()), H5Fclose, "cannot be created");
    root_.set(schema::format, format);
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
    if (output_->error) throw Failed(fmt::format("cannot be written: {}", std::strerror(output_->error)));
}

void Writer::group(const std::string& path) {
    if (path.empty() || !groups_.insert(path).second) return;
    group(path.substr(0, path.rfind('/')));
    const Handle creation = property_list(H5P_GROUP_CREATE);
    keep_compact(creation.get());
    const Handle made(H5Gcreate2(file_.get(), path.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose,
                      "group " + path + " cannot be made");
}

Handle Writer::make_dataset(const std::string& path, hid_t type, const std::vector<hsize_t>& extent, const std::vector<hsize_t>& chunk) {
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
    return {H5Dcreate2(file_.get(), array.path.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
            H5Dclose, "dataset " + array.path + " cannot be made"};
}

void Writer::start_flushing() noexcept { output_->file.start_flushing(); }

void Writer::write_attributes(const Node& node) {
    if (!node.is_array) group(node.path);
    const Handle object(H5Oopen(file_.get(), node.path.empty() ? "/" : node.path.c_str(), H5P_DEFAULT), H5Oclose,
                        node.path + " cannot be opened");
    for (const auto& [name, value] : node.attributes) write_attribute(object.get(), name, value);
    for (const auto& [name, child] : node.children) write_attributes(child);
}

void Writer::commit() {
    root_.set(schema::content_hash, seal(root_));
    write_attributes(root_);
    file_.close("cannot be closed");
    check_output();
    output_->file.commit();
}

}  // namespace lockstep::hdf5
