// What all threads do to the pages of large arrays changes no byte around them.
#include "lockstep/schedules/pages.hpp"

#include <algorithm>
#include <numeric>

#include "catch.hpp"

using namespace lockstep;

TEST_CASE("pages are given and taken back without a byte beside them") {
    constexpr std::size_t size = (std::size_t{9} << 20) + 12345, begin = 77, end = size - 99;
    Array<unsigned char> bytes(size), copy(size);
    populate(copy.data(), size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761U >> 24);
    copy = bytes;
    populate(copy.data(), size);  // what is there stays
    CHECK(copy == bytes);

    drop_pages(copy.data() + begin, end - begin);
    CHECK(std::equal(copy.begin(), copy.begin() + begin, bytes.begin()));
    CHECK(std::equal(copy.begin() + end, copy.end(), bytes.begin() + end));
    std::iota(copy.begin(), copy.end(), static_cast<unsigned char>(0));  // they can be had again
    CHECK(copy[size / 2] == static_cast<unsigned char>(size / 2));

    release(copy);
    CHECK(copy.capacity() == 0);
    release(copy);
}
