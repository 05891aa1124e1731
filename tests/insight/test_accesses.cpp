// Tests of the measured costs of memory accesses.
#include "catch.hpp"
#include "insight/measure/accesses.hpp"

using namespace lockstep;
using namespace lockstep::insight;

TEST_CASE("random words are of the array, and all alike") {
    for (const VertexId size : {1U, 2U, 10U, 1000U, 4'000'000'000U}) {
        std::vector<std::uint32_t> found(10);
        for (std::uint32_t i = 0; i < 100'000; ++i) {
            const VertexId word = random_word(i, size);
            REQUIRE(word < size);
            ++found[static_cast<std::size_t>(std::uint64_t{word} * 10 / size)];
        }
        INFO(size);
        if (size < 10) continue;
        for (const std::uint32_t count : found)
            CHECK(std::abs(double(count) - 10'000) < 500);  // 5 standard deviations
    }
}

TEST_CASE("every kind of access takes time, to arrays of any length") {
    std::string reason;
    for (const Device device : {Device::cpu, Device::cuda}) {
        if (device == Device::cuda && !cuda_available(&reason)) continue;
        for (const VertexId size : {1U, 3U, 5000U, 1'000'003U}) {
            const Accesses a = measure_accesses(device, size, 2);
            for (const double seconds :
                 {a.read_in_order, a.write_in_order, a.read, a.write, a.add_float, a.add_whole}) {
                CHECK(seconds > 0);
                CHECK(seconds < 1e-4);
            }
        }
    }
}
