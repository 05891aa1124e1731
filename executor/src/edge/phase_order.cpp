#include "lockstep/executor/edge/phase_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace lockstep {

namespace {

/// The last step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), which maps consecutive numbers to
/// dissimilar ones.
std::uint64_t scatter(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/// Consecutive phases [first, last) of the new order, which are either all small or all not small.
using Part = std::pair<EdgeId, EdgeId>;

/// Appends the phases [first, last) to `order` in their new order, and returns the parts of the new order.
/// The phases are divided into several similar groups ("hands") of at least `rounds_a_hand` phases. A hand
/// begins with its small phases, sorted by the power of two of their size, so that barriers of few warps
/// suffice for phases of similar size. Its other phases follow.
std::vector<Part> deal(EdgeId first, EdgeId last, const std::vector<EdgeId>& size,
                       std::vector<EdgeId>& order) {
    constexpr EdgeId rounds_a_hand = 512, most_hands = 16;
    const EdgeId hands = std::clamp<EdgeId>((last - first) / rounds_a_hand, 1, most_hands);
    std::array<std::vector<EdgeId>, 2> phases;  // [0]: small phases, [1]: other phases
    for (EdgeId p = first; p < last; ++p) phases[size[p] >= small_phase].push_back(p);
    std::sort(phases[0].begin(), phases[0].end(), [&](EdgeId a, EdgeId b) {
        const auto bits_a = std::bit_width(size[a]), bits_b = std::bit_width(size[b]);
        return bits_a != bits_b ? bits_a > bits_b : scatter(a) < scatter(b);
    });
    std::sort(phases[1].begin(), phases[1].end(), [](EdgeId a, EdgeId b) { return scatter(a) < scatter(b); });
    std::vector<Part> parts;
    for (EdgeId hand = 0; hand < hands; ++hand) {
        for (const std::vector<EdgeId>& kind : phases) {
            const EdgeId begin = order.size();
            for (EdgeId i = hand; i < kind.size(); i += hands) order.push_back(kind[i]);
            if (begin < order.size()) parts.emplace_back(begin, order.size());
        }
    }
    return parts;
}

}  // namespace

bool mixes_phases(const Strategy& strategy, const Schedule* schedule, PhaseOrder wanted) {
    return wanted == PhaseOrder::mixed && !strategy.takes_any_order() && !strategy.races() && schedule &&
           schedule->has(Level::phase) && !schedule->has(Level::tile);
}

Schedule mix_phases(const Schedule& schedule, const TrainingPositions& kept, std::span<const EdgeId> order) {
    const EdgeId phases = schedule.count(Level::phase);
    // index in `order` of the first edge of each phase
    std::vector<EdgeId> begin = edge_offsets(schedule, Level::phase);
    for (EdgeId& edge : begin) edge = kept.before(edge);
    std::vector<EdgeId> size(phases), turn;  // size of each phase; phases in their new order
    for (EdgeId p = 0; p < phases; ++p) size[p] = begin[p + 1] - begin[p];
    turn.reserve(phases);

    Schedule mixed;
    mixed.name = schedule.name, mixed.disjoint = schedule.disjoint;
    mixed.locked = kept.before(schedule.locked);
    if (schedule.has(Level::task)) {  // a task runs on one worker, so the sizes of phases do not matter
        turn.resize(phases);
        std::iota(turn.begin(), turn.end(), EdgeId{0});
        std::sort(turn.begin(), turn.end(), [](EdgeId a, EdgeId b) { return scatter(a) < scatter(b); });
    } else if (!schedule.has(Level::block)) {
        deal(0, phases, size, turn);
    } else {
        const std::vector<EdgeId>& blocks = schedule.level(Level::block);
        mixed.level(Level::block).push_back(0), mixed.resident_offsets.push_back(0);
        for (EdgeId b = 0; b + 1 < blocks.size(); ++b) {
            for (const Part& part : deal(blocks[b], blocks[b + 1], size, turn)) {
                const auto residents = schedule.residents.begin();
                mixed.residents.insert(
                    mixed.residents.end(),
                    residents + static_cast<std::ptrdiff_t>(schedule.resident_offsets[b]),
                    residents + static_cast<std::ptrdiff_t>(schedule.resident_offsets[b + 1]));
                mixed.resident_offsets.push_back(mixed.residents.size());
                mixed.level(Level::block).push_back(part.second);
            }
        }
    }

    mixed.order.resize(order.size());
    // index of the first edge of each phase in the new order
    std::vector<EdgeId> to(phases + 1, mixed.locked);
    for (EdgeId i = 0; i < phases; ++i) to[i + 1] = to[i] + size[turn[i]];
    std::copy_n(order.begin(), mixed.locked, mixed.order.begin());
#pragma omp parallel for schedule(dynamic, 16)
    for (EdgeId i = 0; i < phases; ++i)
        std::copy_n(order.data() + begin[turn[i]], size[turn[i]], mixed.order.data() + to[i]);

    std::vector<EdgeId>& level = mixed.level(Level::phase);
    if (!schedule.has(Level::task)) {
        // The levels of a schedule begin after its locked edges.
        for (EdgeId& edge : to) edge -= mixed.locked;
        level = std::move(to);
        return mixed;
    }
    std::vector<EdgeId> tasks = edge_offsets(schedule, Level::task);
    std::vector<EdgeId>& task = mixed.level(Level::task);
    level.push_back(0), task.push_back(0);
    for (EdgeId i = 0; i < phases; ++i) {
        const EdgeId p = turn[i];
        for (EdgeId t = schedule.level(Level::phase)[p]; t < schedule.level(Level::phase)[p + 1]; ++t)
            task.push_back(kept.before(tasks[t + 1]) - begin[p] + to[i]);
        level.push_back(task.size() - 1);
    }
    return mixed;
}

}  // namespace lockstep
