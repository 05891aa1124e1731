// The hash that identifies graphs, schedules and results: XXH3 with 128 bits, written as 32 hexadecimal
// digits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// A 128-bit XXH3 hash as two 64-bit halves, the low half first.
using Digest = std::array<std::uint64_t, 2>;
/// Returns the hash of a sequence of bytes.
Digest digest(std::span<const std::byte> bytes);

/// A hash to which arrays are added one after another. The size of every array is added before its bytes.
/// Therefore the hash also changes if bytes move from the end of one array to the beginning of the next.
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
    /// Returns the hash of everything that was added, as 32 hexadecimal digits.
    std::string hex() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lockstep
