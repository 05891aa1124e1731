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

/// XXH3-128 of one run of bytes: the two halves, the low one first.
using Digest = std::array<std::uint64_t, 2>;
Digest digest(std::span<const std::byte> bytes);

/// Streaming hash. Every array goes in with its byte count, so that moving a boundary changes the hash.
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
