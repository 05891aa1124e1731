// Selects the CUDA backend of SGD that was compiled for the storage and the rank of a run.
#include <algorithm>

#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/operator.hpp"
#include "apps/sgd/start.hpp"
#include "lockstep/schedules/error.hpp"

namespace lockstep::sgd {

#if defined(LOCKSTEP_HAS_CUDA)
template <class Element, int Lanes, int Chunks>
std::unique_ptr<Backend> make_cuda_backend_of(const Problem& problem,
                                              // instantiated in the files that cuda_lanes.cu.in generates
                                              const Factors& initial);

/// Returns true if the code for ranks up to `rank` was compiled (LOCKSTEP_CUDA_RANKS).
constexpr bool is_built(int rank) {
    constexpr int built[] = {LOCKSTEP_CUDA_RANKS};
    return std::find(std::begin(built), std::end(built), rank) != std::end(built);
}

std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const Factors& initial) {
    return with_element(problem.storage, [&]<class Element>() {
        return with_lanes(problem.rank, [&]<int Lanes, int Chunks>() -> std::unique_ptr<Backend> {
            if constexpr (is_built(4 * Lanes * Chunks)) {
                return make_cuda_backend_of<Element, Lanes, Chunks>(problem, initial);
            } else {
                throw Error(Failure::no_device,
                            "this build has no CUDA code for rank " + std::to_string(problem.rank) +
                                "; configure with -ULOCKSTEP_CUDA_RANKS, or use --device cpu");
            }
        });
    });
}

template <class Element, int Lanes, int Chunks>
// instantiated in the files that cuda_lanes.cu.in generates
std::optional<std::string> cuda_misfit_of(const EdgePlan& plan, std::uint32_t rank);

std::optional<std::string> find_cuda_misfit(const EdgePlan& plan, std::uint32_t rank, Storage storage) {
    return with_element(storage, [&]<class Element>() {
        return with_lanes(rank, [&]<int Lanes, int Chunks>() -> std::optional<std::string> {
            if constexpr (is_built(4 * Lanes * Chunks))
                return cuda_misfit_of<Element, Lanes, Chunks>(plan, rank);
            else
                return {};
        });
    });
}
#else
std::optional<std::string> find_cuda_misfit(const EdgePlan&, std::uint32_t, Storage) { return {}; }

std::unique_ptr<Backend> make_cuda_backend(const Problem&, const Factors&) {
    usable_device(Device::cuda, nullptr);  // always throws Error (no_device): this build has no CUDA
    return nullptr;
}
#endif

}  // namespace lockstep::sgd
