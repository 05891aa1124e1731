#include "hdf5_driver.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace lockstep::hdf5 {

namespace {

/// The file driver's state of an open file.
struct DriverFile : H5FD_t {
    Storage* storage = nullptr;
    haddr_t allocated = 0, end = 0;
};

DriverFile& self(H5FD_t* file) { return *static_cast<DriverFile*>(file); }
const DriverFile& self(const H5FD_t* file) { return *static_cast<const DriverFile*>(file); }

/// Converts an errno value to a result of the driver. Pushes the error to HDF5's error stack, from which
/// fail() takes its message.
herr_t result(int error) {
    if (error == 0) return 0;
    const bool memory = error == ENOMEM;
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, memory ? H5E_RESOURCE : H5E_IO,
             memory ? H5E_NOSPACE : H5E_READERROR, "%s",
             error == EBADMSG   ? "its bytes do not match its seal"
             : error == ENODATA ? "the file is cut off"
                                : std::strerror(error));
    return -1;
}

H5FD_t* driver_open(const char*, unsigned, hid_t access, haddr_t) {
    Storage* const* storage = static_cast<Storage* const*>(H5Pget_driver_info(access));
    auto* file = storage ? new (std::nothrow) DriverFile{} : nullptr;
    if (file) file->storage = *storage, file->end = file->storage->size();
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
    return result(self(file).storage->read(address, buffer, size));
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
    DriverFile& f = self(file);
    f.end = std::max<haddr_t>(f.end, address + size);
    return result(f.storage->write(address, buffer, size));
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
    DriverFile& f = self(file);
    if (f.end == f.allocated) return 0;
    f.end = f.allocated;
    return result(f.storage->truncate(f.allocated));
}

Handle register_driver() {
    H5FD_class_t driver{};
    driver.name = "lockstep";
    driver.maxaddr = haddr_t{1} << 62;
    driver.fc_degree = H5F_CLOSE_SEMI;
    driver.fapl_size = sizeof(Storage*);
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

/// Returns file access properties with which HDF5 reads and writes `storage` through `driver`.
Handle access_through(const Handle& driver, Storage& storage) {
    Handle access = property_list(H5P_FILE_ACCESS);
    Storage* const pointer = &storage;
    check(H5Pset_driver(access.get(), driver.get(), &pointer), "the file driver cannot be set");
    check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_SEMI), "the close degree cannot be set");
    return access;
}

constexpr const char* no_name = "lockstep";  // HDF5 requires a file name, which this driver ignores

}  // namespace

int Storage::write(std::uint64_t, const void*, std::size_t) noexcept { return EROFS; }
int Storage::truncate(std::uint64_t) noexcept { return EROFS; }

StoredFile::StoredFile(const std::filesystem::path& path)
    // O_NONBLOCK: opening a pipe does not block. Only regular files are accepted below.
    : file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (file_ < 0) throw Hdf5Error(fmt::format("cannot be opened: {}", std::strerror(errno)));
    struct stat status {};
    if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(file_);
        throw Hdf5Error(
            "is not a regular file, which HDF5 needs; write the output of a pipe to a file first");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
}

StoredFile::~StoredFile() { close(file_); }

int StoredFile::read_unchecked(std::uint64_t offset, void* data, std::size_t size) const noexcept {
    char* place = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t n = pread(file_, place, size, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return ENODATA;
        place += n, offset += static_cast<std::uint64_t>(n), size -= static_cast<std::size_t>(n);
    }
    return 0;
}

std::size_t StoredFile::clear_past_end(std::uint64_t offset, void* data, std::size_t size) const noexcept {
    const std::uint64_t inside = std::min<std::uint64_t>(size, offset < size_ ? size_ - offset : 0);
    std::memset(static_cast<char*>(data) + inside, 0, size - inside);
    return inside;
}

int StoredFile::read(std::uint64_t offset, void* data, std::size_t size) noexcept {
    return read_unchecked(offset, data, clear_past_end(offset, data, size));
}

Handle property_list(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "a property list cannot be made"}; }

void keep_compact(hid_t creation) {
    check(H5Pset_attr_phase_change(creation, 65535, 65535), "attribute storage cannot be set");
    if (H5Pisa_class(creation, H5P_GROUP_CREATE) > 0) {
        check(H5Pset_link_phase_change(creation, 65535, 65535), "link storage cannot be set");
    }
    // Time stamps are omitted, so that equal contents give byte-identical files.
    check(H5Pset_obj_track_times(creation, false), "time stamps cannot be turned off");
}

File open_file(Storage& storage) {
    Handle driver = register_driver();
    const Handle access = access_through(driver, storage);
    Handle file(H5Fopen(no_name, H5F_ACC_RDONLY, access.get()), H5Fclose,
                "cannot be opened, it is damaged or cut off");
    return {std::move(driver), std::move(file)};
}

File create_file(Storage& storage) {
    Handle driver = register_driver();
    const Handle access = access_through(driver, storage), creation = property_list(H5P_FILE_CREATE);
    check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
          "the HDF5 format cannot be set");
    keep_compact(creation.get());
    Handle file(H5Fcreate(no_name, H5F_ACC_EXCL, creation.get(), access.get()), H5Fclose,
                "cannot be created");
    return {std::move(driver), std::move(file)};
}

}  // namespace lockstep::hdf5
