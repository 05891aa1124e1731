// Computes the seal of a file again, as a forger would.
#pragma once

#include <cstring>
#include <string>

#include "bytes_in_memory.hpp"
#include "support.hpp"

namespace lockstep::test {

constexpr std::size_t seal_footer_bytes = 40;

/// Returns the bytes that precede the seal.
inline std::string without_seal(std::string content) {
    std::uint64_t length = 0;
    std::memcpy(&length, content.data() + content.size() - seal_footer_bytes + 16, sizeof length);
    content.resize(length);
    return content;
}

inline std::string sealed(const std::string& content) {
    BytesInMemory storage;
    storage.bytes = content;
    const std::vector<std::byte> seal = hdf5::make_seal(storage, content.size());
    return content + std::string(reinterpret_cast<const char*>(seal.data()), seal.size());
}

}  // namespace lockstep::test
