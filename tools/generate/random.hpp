// Random numbers of lockstep-generate: the counter-based generator Philox4x32-10. A random number is a
// function of seed, stream and position only, and all arithmetic on it is integer or correctly rounded (+ - *
// / sqrt), so that a seed gives the same file on every machine.
#pragma once

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace lockstep::generate {

/// The purpose of a random number; each purpose has its own stream.
enum class Stream : std::uint32_t {
    user_names,
    item_names,
    choice,
    cover,
    order,
    row_factors,
    col_factors,
    noise,
    cells,
    tree,
    grid,
    arcs,
    vertices,
    ends,
    weights,
    points,
    positions
};

using Words = std::array<std::uint32_t, 4>;

class Random {
public:
    Random(std::uint64_t seed, Stream stream) : seed_(seed), stream_(static_cast<std::uint32_t>(stream)) {}
    /// Returns four random words at a position; `part` distinguishes several draws at one position.
    Words operator()(std::uint64_t position, std::uint32_t part = 0) const {
        const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
        const r123::Philox4x32::ctr_type counter{{low(position), low(position >> 32), part, stream_}};
        const r123::Philox4x32::key_type key{{low(seed_), low(seed_ >> 32)}};
        const auto words = r123::Philox4x32()(counter, key);
        return {words[0], words[1], words[2], words[3]};
    }

private:
    std::uint64_t seed_;
    std::uint32_t stream_;
};

/// Random integer weights from `low` to `high`, uniform up to a bias below 2^-7. A weight is a function of
/// the seed and the two endpoints, so that both arcs of an edge have the same weight.
class EdgeWeights {
public:
    EdgeWeights(std::int32_t low, std::int32_t high, std::uint64_t seed)
        : random_(seed, Stream::weights), low_(low), count_(std::uint64_t(high - low) + 1) {}
    float operator()(std::uint32_t u, std::uint32_t v) const {
        const std::uint32_t word = random_(std::uint64_t{std::min(u, v)} << 32 | std::max(u, v))[0];
        return static_cast<float>(low_ + static_cast<std::int32_t>((word * count_) >> 32));
    }

private:
    Random random_;
    std::int32_t low_;
    std::uint64_t count_;
};

/// The random numbers of one stream, one after another.
class Sequence {
public:
    Sequence(std::uint64_t seed, Stream stream) : random_(seed, stream) {}
    std::uint64_t next() {
        if (odd_ = !odd_; odd_) {
            words_ = random_(position_++);
            return std::uint64_t{words_[1]} << 32 | words_[0];
        }
        return std::uint64_t{words_[3]} << 32 | words_[2];
    }
    /// Returns a number that is uniform in [0, 1), with 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    /// Returns an integer that is uniform in [0, n), n > 0; the bias is below n / 2^64.
    std::uint64_t below(std::uint64_t n) {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
    }

private:
    Random random_;
    std::uint64_t position_ = 0;
    Words words_{};
    bool odd_ = false;
};

/// Shuffles the values (Fisher-Yates); calls `pause` every 2^20 steps, to handle signals.
template <class T, class Pause>
void shuffle(std::vector<T>& values, Sequence random, Pause&& pause) {
    for (std::uint64_t left = values.size(); left > 1; --left) {
        std::swap(values[left - 1], values[random.below(left)]);
        if ((left & 0xFFFFF) == 0) pause();
    }
}

/// A random permutation of [0, size) that needs no storage: a Feistel network on the next even number of
/// bits, which is repeated until the result is in range (fewer than four steps on average).
class Permutation {
public:
    Permutation(std::uint64_t size, std::uint64_t seed, Stream stream) : random_(seed, stream), size_(size) {
        while (half_bits_ < 32 && (size - 1) >> (2 * half_bits_) != 0) ++half_bits_;
    }
    std::uint64_t operator()(std::uint64_t x) const {
        const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
        do {
            std::uint64_t left = x >> half_bits_, right = x & mask;
            for (std::uint32_t round = 0; round < 6; ++round) {
                const std::uint64_t mixed = left ^ (random_(right, round)[0] & mask);
                left = right;
                right = mixed;
            }
            x = left << half_bits_ | right;
        } while (x >= size_);
        return x;
    }

private:
    Random random_;
    std::uint64_t size_;
    unsigned half_bits_ = 1;
};

}  // namespace lockstep::generate
