#include "lockstep/formats/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/error.hpp"
#include "readers/npy_head.hpp"

namespace lockstep {

namespace {

/// Returns the head of a .npy file: magic number, length, and the type and shape of the array as a Python
/// dictionary. The entries follow the head.
std::string head_text(const std::string& type, const std::vector<std::uint64_t>& shape) {
    std::string head = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}",
                                   type.starts_with('[') ? type : '\'' + type + '\'', fmt::join(shape, ", "),
                                   shape.size() == 1 ? "," : "");
    constexpr std::size_t aligned = 64, before = 10;
    head.resize((before + head.size() + aligned) / aligned * aligned - before - 1, ' ');
    head += '\n';
    const auto length = static_cast<std::uint16_t>(head.size());
    const char bytes[] = {static_cast<char>(length & 255), static_cast<char>(length >> 8)};
    return std::string("\x93NUMPY\x01\x00", 8).append(bytes, 2) + head;
}
constexpr const char* little_endian = "numpy.save(FILE, array.astype(array.dtype.newbyteorder(\"<\")))";

/// Converts a 2-D array from column-major (Fortran) to row-major order. `entry` is the size of an entry in
/// bytes.
Array<std::byte> transpose_array(const NpyArray& array, std::size_t entry) {
    const std::uint64_t rows = array.shape[0], cols = array.shape[1];
    Array<std::byte> turned(array.bytes.size());
    for (std::uint64_t i = 0; i < rows; ++i)
        for (std::uint64_t j = 0; j < cols; ++j)
            std::memcpy(turned.data() + (i * cols + j) * entry, array.bytes.data() + (j * rows + i) * entry,
                        entry);
    return turned;
}

}  // namespace

NpyArray read_npy(const std::filesystem::path& path) try {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FormatError(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
    std::string start(std::size_t{1} << 16, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    const readers::NpyHead head = readers::npy_head(start, "it", little_endian);
    if (head.fortran_order && head.shape.size() > 2) {
        throw Error(Failure::bad_input,
                    "its first dimension varies fastest; expected C order: numpy.save(FILE, "
                    "numpy.ascontiguousarray(array))");
    }
    NpyArray array{head.type, head.shape, {}};
    const std::uintmax_t size = std::filesystem::file_size(path), there = size - head.begin;
    if (head.entries > there || head.entries * head.entry_bytes != there) {
        throw Error(Failure::bad_input,
                    fmt::format("it declares {} entries of {} bytes, but contains {} bytes", head.entries,
                                head.entry_bytes, there));
    }
    array.bytes.resize(there);
    file.clear();
    file.seekg(static_cast<std::streamoff>(head.begin));
    file.read(reinterpret_cast<char*>(array.bytes.data()), static_cast<std::streamsize>(there));
    if (static_cast<std::uintmax_t>(file.gcount()) != there) throw Error(Failure::bad_input, "it is cut off");
    if (head.fortran_order && head.shape.size() == 2) array.bytes = transpose_array(array, head.entry_bytes);
    return array;
} catch (const FormatError&) {
    throw;
} catch (const Error& e) {
    throw FormatError(path.string(), e.what());
} catch (const std::filesystem::filesystem_error& e) {
    throw FormatError(path.string(), e.code().message());
}

std::vector<NpyField> npy_fields(const std::string& type) {
    const readers::NpyHead head = readers::npy_head(head_text(type, {1}), "the array", little_endian);
    if (!head.fields.empty()) return head.fields;
    return {{"", head.kind, head.entry_bytes}};
}

void write_npy(const std::filesystem::path& path, const NpyArray& array) {
    const std::string start = head_text(array.type, array.shape);
    AtomicFile file(path);
    const auto write = [&](std::uint64_t at, const void* data, std::size_t size) {
        if (const int error = file.write(at, data, size); error != 0)
            throw OutputError(path.string(), std::strerror(error));
    };
    write(0, start.data(), start.size());
    write(start.size(), array.bytes.data(), array.bytes.size());
    file.commit();
}

}  // namespace lockstep
