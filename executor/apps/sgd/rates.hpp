// Rates of the vectors' own (adaptive rates): what lies behind a vector in memory, and which GPU kernels
// there are for it.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lockstep/executor/lanes.hpp"

namespace lockstep {
struct PhasesPlan;
struct ResidentPlan;
struct TasksPlan;
struct TiledPlan;
struct CoreTailPlan;
struct LocalPlan;
}  // namespace lockstep

namespace lockstep::sgd {

inline constexpr std::uint32_t max_rank = 256;

/// What a vector has of the rate: a share that is less the more edges it has.
struct alignas(16) OwnRate {
    float share;
    double edges;
};
/// 1 / sqrt(1 + growth edges); the bits of every device.
LOCKSTEP_HD float share_of_rate(double growth, double edges) {
#if defined(__CUDA_ARCH__)
    return static_cast<float>(__ddiv_rn(1, __dsqrt_rn(__dadd_rn(1, __dmul_rn(growth, edges)))));
#else
    return static_cast<float>(1 / std::sqrt(1 + growth * edges));
#endif
}
/// Of a vector whose OwnRate lies at `at`, for a sweep.
template <class Element>
LOCKSTEP_HD void set_share(Element* at, double growth) {
    OwnRate rate;
    std::memcpy(&rate, at, sizeof rate);
    rate.share = share_of_rate(growth, rate.edges);
    std::memcpy(at, &rate, sizeof rate);
}

/// A unit of the GPU's code serves ranks up to `unit`, the largest one all, to the same bits where long stars
/// are not mapped. So there alone rates of the vectors' own have kernels of walks with locks or races, and on
/// chip of clipped factors; of the other walks from rank 5 on, which serve those below.
constexpr bool serves_all_ranks(int unit) { return unit == static_cast<int>(max_rank); }
template <class Plan, class... Plans>
inline constexpr bool is_one_of = (std::is_same_v<Plan, Plans> || ...);
template <class Plan>
constexpr bool has_own_rates(int unit) {
    return serves_all_ranks(unit) ||
           (unit > 4 &&
            is_one_of<Plan, PhasesPlan, ResidentPlan, TasksPlan, TiledPlan, CoreTailPlan, LocalPlan>);
}
/// Of whose unit a plan is.
template <class Plan>
constexpr std::uint32_t rank_with_own_rates(std::uint32_t rank, bool clips) {
    constexpr bool on_chip = is_one_of<Plan, TiledPlan, CoreTailPlan, LocalPlan>;
    if (!has_own_rates<Plan>(8) || (on_chip && clips)) return max_rank;
    return rank <= 4 ? 8 : rank;
}

}  // namespace lockstep::sgd
