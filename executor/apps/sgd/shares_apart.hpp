// What vectors have of the rate (storage.hpp, OwnRate), on a GPU: apart from the vectors, which are moved as
// those of one rate for all are.
#pragma once

#include <cstdint>

#include "lockstep/executor/lanes.hpp"

namespace lockstep::sgd {

/// Lanes of threads. On a CPU, where one thread has all lanes, a share lies behind its vector.
template <class Lanes>
inline constexpr bool is_on_gpu = requires {
    Lanes::threads;
};

struct NoShares {};
struct SharesApart {
    const float *rows, *cols;  ///< by vertex, in device memory
    /// On chip, in the order of the vectors: the one that a byte belongs to is number (inverse x address +
    /// offset) / 2^32. Exact up to 2^18 bytes of vectors, 2^10 bytes each.
    std::uint32_t on_chip = 0, inverse = 0;
    std::uint64_t offset = 0;

    /// Addresses in shared memory; `apart`: bytes from vector to vector.
    LOCKSTEP_HD void come_on_chip(std::uint32_t vectors, std::uint32_t apart, std::uint32_t shares) {
        on_chip = shares, inverse = ~0U / apart + 1;
        offset = 0 - std::uint64_t{inverse} * vectors;
    }
    /// Of the vector to which the byte at `vector` belongs.
    LOCKSTEP_HD std::uint32_t address_of(std::uint32_t vector) const {
        return on_chip + 4 * static_cast<std::uint32_t>((std::uint64_t{inverse} * vector + offset) >> 32);
    }
};

}  // namespace lockstep::sgd
