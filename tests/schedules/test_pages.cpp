// Tests that the operations on the pages of large arrays change no byte, inside or outside of the pages.
#include "lockstep/schedules/pages.hpp"

#include <algorithm>
#include <numeric>

#include "catch.hpp"
#include "lockstep/schedules/array.hpp"

using namespace lockstep;

TEST_CASE("pages are given without a byte beside them") {
    constexpr std::size_t size = (std::size_t{9} << 20) + 12345;
    Array<unsigned char> bytes(size), copy(size);
    populate(copy.data(), size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761U >> 24);
    copy = bytes;
    populate(copy.data(), size);  // existing contents are kept
    CHECK(copy == bytes);
}

TEST_CASE("arrays of large pages begin anywhere, grow and are freed") {
    constexpr std::size_t large = std::size_t{1} << 25;
    for (const std::size_t size : {large - 1, large, large + 4097}) {
        Array<unsigned char> bytes(size);
        std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
        bytes.resize(size + size / 3, 1);
        CHECK(bytes[size - 1] == static_cast<unsigned char>(size - 1));
        CHECK(bytes.back() == 1);
        bytes = Array<unsigned char>();
        CHECK(bytes.capacity() == 0);
    }
}
