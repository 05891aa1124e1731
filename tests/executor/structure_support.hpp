// Graphs for the tests of structures, and checks of all variants that find them.
#pragma once

#include <cmath>
#include <random>

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/undirected.hpp"
#include "square_graphs.hpp"

namespace lockstep::test {

using Values = std::vector<std::uint32_t>;

/// Returns battery_of_both(), and further graphs: hubs in components of their own; cores within cores; a
/// ladder that is peeled from its ends; more vertices of one degree than a queue in shared memory holds; two
/// components of skewed degrees and many arcs, with hubs anywhere.
inline std::vector<NamedGraph> structure_graphs() {
    std::vector<NamedGraph> all = battery_of_both();
    using Arcs = std::vector<std::pair<VertexId, VertexId>>;
    Arcs stars, nested, ladder, spokes, skewed;
    for (VertexId i = 0; i < 40000; ++i) stars.emplace_back(i % 7 * 6000, i % 7 * 6000 + i / 7 + 1);
    for (VertexId i = 0; i < 300; ++i) {
        for (VertexId j = i + 1; j < 300; j += 1 + i / 20) nested.emplace_back(i, j);
    }
    for (VertexId i = 0; i < 3000; ++i) {
        ladder.emplace_back(2 * i, 2 * i + 1);
        if (i) ladder.emplace_back(2 * i - 2, 2 * i), ladder.emplace_back(2 * i - 1, 2 * i + 1);
    }
    for (VertexId i = 0; i < 20000; ++i) {
        for (VertexId hub = 0; hub < 3 + i % 3; ++hub) spokes.emplace_back(20000 + hub, i);
    }
    std::mt19937 random(18);
    const auto drawn = [&] { return static_cast<VertexId>(1500 * std::pow(random() * 0x1p-32, 3)); };
    for (VertexId i = 0; i < 30000; ++i)
        skewed.emplace_back((2 * drawn() + i % 2) * 1009 % 3000, (2 * drawn() + i % 2) * 1009 % 3000);
    all.push_back({"two components of skewed degrees", square_graph(3000, skewed, true)});
    all.push_back({"seven stars", square_graph(42000, stars, true)});
    all.push_back({"cores within cores", square_graph(300, nested, true)});
    all.push_back({"a ladder", square_graph(6000, ladder, true)});
    all.push_back({"many of one degree around few hubs", square_graph(20005, spokes, true)});
    return all;
}

/// Requires the values `expected`, `repeats` times: with one (once), two and five threads of a CPU, or with
/// each of `ways` of a GPU.
template <class Variant, class OnCpu, class OnCuda>
void always_gives(const Values& expected, int repeats, [[maybe_unused]] Device device,
                  [[maybe_unused]] std::initializer_list<Variant> ways, OnCpu on_cpu,
                  [[maybe_unused]] OnCuda on_cuda) {
    const auto again = [&](const structure::Runner& runner, int times) {
        for (int i = 0; i < times; ++i) REQUIRE((runner.run().values == expected));
    };
#if defined(LOCKSTEP_HAS_CUDA)
    if (device == Device::cuda) {
        for (const Variant way : ways) again(on_cuda(way), repeats);
        return;
    }
#endif
    for (const int threads : {1, 2, 5}) again(on_cpu(threads), threads > 1 ? repeats : 1);
}

/// Requires `expected` of rounds on a GPU, with several combinations of their axes.
template <class OnCuda>
void axes_give([[maybe_unused]] const Values& expected, [[maybe_unused]] Device device,
               [[maybe_unused]] OnCuda on_cuda) {
#if defined(LOCKSTEP_HAS_CUDA)
    using worklist::Append, worklist::Loop;
    const std::vector<structure::RoundAxes> all{
        {{}, Append::thread, Loop::host},
        {{{.warp = true, .block = true}, 4, 64}, Append::warp, Loop::outlined},
        {{{.lanes = 0, .fine = true, .block = true}, 4, 64}, Append::block, Loop::outlined},
        {{{.lanes = 8}}, Append::block, Loop::host},
        {{{.lanes = 0, .fine = true}}, Append::thread, Loop::outlined},
        {{{.lanes = 0, .warp = true}}, Append::warp, Loop::host},
        {{{.lanes = 0, .block = true}}, Append::block, Loop::outlined}};
    if (device != Device::cuda) return;
    for (const structure::RoundAxes& axes : all) REQUIRE((on_cuda(axes).run().values == expected));
#endif
}

}  // namespace lockstep::test
