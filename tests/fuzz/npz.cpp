// Fuzzes the reader of SciPy archives. Most mutations are followed by a repair of the members' checksums,
// without which the reader would refuse every input.
#include <zlib.h>

#include <cstring>

#include "fuzz.hpp"
#include "lockstep/formats/dataset.hpp"

namespace {

template <class T>
T field(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// Corrects the checksums of uncompressed members, in their local headers and in the directory.
void repair_checksums(std::uint8_t* data, std::size_t size) {
    constexpr std::uint32_t local = 0x04034b50, listed = 0x02014b50;
    for (std::size_t at = 0; at + 46 <= size; ++at) {
        const auto signature = field<std::uint32_t>(data + at);
        std::size_t header = at;
        if (signature == listed) header = field<std::uint32_t>(data + at + 42);
        if ((signature != local && signature != listed) || header + 30 > size) continue;
        const std::size_t begin =
            header + 30 + field<std::uint16_t>(data + header + 26) + field<std::uint16_t>(data + header + 28);
        const std::size_t bytes = field<std::uint32_t>(data + at + (signature == local ? 18 : 20));
        if (begin > size || bytes > size - begin) continue;
        const auto crc = static_cast<std::uint32_t>(crc32(0, data + begin, static_cast<uInt>(bytes)));
        std::memcpy(data + at + (signature == local ? 14 : 16), &crc, sizeof crc);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* suffixes[] = {".npz"};
    lockstep::fuzz::read_graph({data, size}, suffixes);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    size = LLVMFuzzerMutate(data, size, max_size);
    constexpr std::size_t prefix = 4;  // bytes that read_graph consumes first
    if (seed % 8 != 0 && size > prefix) repair_checksums(data + prefix, size - prefix);
    return size;
}
