// Content hash of arrays: XXH3, 128 bits, as 32 hexadecimal digits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// XXH3-128 hash of a contiguous sequence of bytes: its two 64-bit halves, the low half first.
using Digest = std::array<std::uint64_t, 2>;
Digest digest(std::span<const std::byte> bytes);

/// Streaming hash. The size in bytes of every array is hashed before the array, so that moving a boundary
/// between arrays changes the hash.
class ContentHash {
public:
    ContentHash();
    ~ContentHash();
    ContentHash(ContentHash&&) noexcept;
    ContentHash& operator=(ContentHash&&) noexcept;

    void add(std::span<const std::byte> bytes);
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
    template <class T>
    void add(std::span<const T> values) {
        add(std::as_bytes(values));
    }
    std::string hex() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lockstep
