// Tests that the AVX2 code of SGD is bitwise identical to the code for any processor.
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "apps/sgd/operator.hpp"
#include "catch.hpp"
#include "lockstep/executor/edge/star/segment.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;

#if defined(LOCKSTEP_WIDE)
namespace {

bool runs_here() {
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c"))
        return true;
    test::skip("this processor has no AVX2, FMA and F16C");
    return false;
}

template <class Element>
std::vector<Element> random_vectors(std::size_t vectors, std::size_t components, std::size_t stride,
                                    std::mt19937& random) {
    std::normal_distribution<float> normal(0, 0.3F);
    std::vector<Element> x(vectors * stride, stored_as<Element>(0.0F));
    for (std::size_t v = 0; v < vectors; ++v) {
        for (std::size_t i = 0; i < components; ++i) x[v * stride + i] = stored_as<Element>(normal(random));
    }
    return x;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class Op>
Op make_operator(int chunks) {
    return {{}, nullptr, nullptr, chunks, 0.05F, 0.995F, -std::numeric_limits<float>::infinity()};
}

template <int Lanes>
void compare_maps(std::mt19937& random) {
    using Op = SgdOperator<HostLanes<Lanes>, 1, false, true>;
    constexpr int K = StarMap<Op>::K, B = StarMap<Op>::segment;
    struct alignas(32) Segment {
        float w[B][K], rating[B], h[K];
    };
    const Op op = make_operator<Op>(Lanes);
    cpu::SegmentMap<Op, PortablePack> any(op);
    cpu::SegmentMap<Op, Avx2Pack> wide(op);
    std::normal_distribution<float> normal(0, 0.5F);
    for (int edges = 1; edges <= B; ++edges) {
        Segment one{};
        for (int j = 0; j < edges; ++j) {
            for (float& x : one.w[j]) x = normal(random);
            one.rating[j] = normal(random);
        }
        for (float& x : one.h) x = normal(random);
        Segment other = one;
        for (int repeat = 0; repeat < 3; ++repeat) {
            INFO(K << " components, " << edges << " edges");
            any.run(one.w, one.rating, edges, one.h);
            wide.run(other.w, other.rating, edges, other.h);
            REQUIRE(std::memcmp(one.h, other.h, sizeof one.h) == 0);
            REQUIRE(std::memcmp(one.w, other.w, static_cast<std::size_t>(edges) * sizeof one.w[0]) == 0);
        }
    }
}

template <int batch, int Lanes, int Chunks, bool Full, class Element>
void compare_stars(int chunks, std::mt19937& random) {
    using Op = SgdOperator<HostLanes<Lanes>, Chunks, false, Full, Element>;
    const Op op = make_operator<Op>(chunks);
    const auto components = static_cast<std::size_t>(4 * chunks);
    std::normal_distribution<float> normal(3, 1);
    for (std::size_t edges = 1; edges <= 9; ++edges) {
        INFO(Lanes << " lanes, " << chunks << " chunks, " << edges << " edges of " << sizeof(Element)
                   << " bytes");
        std::vector<Element> leaves = random_vectors<Element>(edges, components, op.offset_of(1), random);
        std::vector<float> centre =
            random_vectors<float>(1, components, op.template offset_of<float>(1), random);
        std::vector<float> rating(edges);
        for (float& r : rating) r = normal(random);
        std::vector<Element> expected_leaves = leaves;
        std::vector<float> expected_centre = centre;
        auto h = op.take(expected_centre.data());
        for (std::size_t i = 0; i < edges; i += batch) {
            const auto left = static_cast<int>(std::min<std::size_t>(batch, edges - i));
            typename Op::Row some[batch];
            float ratings[batch];
            for (int j = 0; j < batch; ++j) {
                const std::size_t edge = i + static_cast<std::size_t>(std::min(j, left - 1));
                const Element* const leaf = expected_leaves.data() + op.offset_of(edge);
                some[j] = op.take(leaf), ratings[j] = rating[edge];
            }
            StarEdges<batch>::run(op, h, some, ratings, left);
            for (int j = 0; j < left; ++j)
                op.put(expected_leaves.data() + op.offset_of(i + static_cast<std::size_t>(j)), some[j]);
        }
        op.put(expected_centre.data(), h);
        op.template run_star<batch>(
            centre.data(), edges, [&](std::size_t i) { return leaves.data() + op.offset_of(i); },
            [&](std::size_t i) { return rating[i]; });
        REQUIRE(same_bits(centre, expected_centre));
        REQUIRE(same_bits(leaves, expected_leaves));
    }
}

/// Tests each storage once with full vectors and once with others. All four combinations with both batches
/// would take twice as long to compile. Edges by four include one, two and three edges.
template <int Lanes, int Chunks>
void compare_all_stars(std::mt19937& random) {
    constexpr int most = Lanes * Chunks;
    compare_stars<2, Lanes, Chunks, true, Half>(most, random);
    compare_stars<4, Lanes, Chunks, true, float>(most, random);
    for (int chunks = most / 2 + 1; chunks <= most; ++chunks) {
        compare_stars<2, Lanes, Chunks, false, float>(chunks, random);
        compare_stars<4, Lanes, Chunks, false, Half>(chunks, random);
    }
}

}  // namespace

TEST_CASE("the AVX2 map of a segment gives the bits of the general one") {
    if (!runs_here()) return;
    std::mt19937 random(1);
    compare_maps<4>(random);
    compare_maps<8>(random);
    compare_maps<16>(random);
}

TEST_CASE("the AVX2 updates of a star give the bits of the general ones") {
    if (!runs_here()) return;
    std::mt19937 random(2);
    compare_all_stars<2, 1>(random);
    compare_all_stars<4, 1>(random);
    compare_all_stars<8, 1>(random);
    compare_all_stars<16, 1>(random);
    compare_all_stars<32, 1>(random);
    compare_all_stars<32, 2>(random);
}
#else
TEST_CASE("the AVX2 code gives the bits of the general code") { test::skip("built without AVX2"); }
#endif
