// The bytes of a file in memory, with the interface by which the seal reads a file.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "../../formats/src/seal.hpp"

namespace lockstep::test {

struct BytesInMemory : hdf5::Storage {
    std::string bytes;
    std::uint64_t size() const noexcept override { return bytes.size(); }
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept override {
        if (offset + size > bytes.size()) return EIO;
        std::memcpy(data, bytes.data() + offset, size);
        return 0;
    }
};

}  // namespace lockstep::test
