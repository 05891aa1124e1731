// Selects the CPU backend of SGD that was compiled for the storage and the rank of a run.
#include "apps/sgd/backend.hpp"
#include "lockstep/schedules/error.hpp"

namespace lockstep::sgd {

template <class Element, int Lanes, int Chunks>
std::unique_ptr<Backend> make_cpu_backend_of(const Problem& problem, const Factors& initial,
                                             // instantiated in the files that cpu_lanes.cpp.in generates
                                             int threads);

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const Factors& initial, int threads) {
#if defined(__x86_64__) && defined(__FMA__)
    bool usable = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#if !defined(__clang__)  // clang 14 does not know the feature name "f16c"
    usable = usable && __builtin_cpu_supports("f16c");
#endif
    if (!usable) {
        throw Error(
            "this build needs a processor with AVX2, FMA and F16C; for this processor, configure with "
            "-DLOCKSTEP_CPU_BASELINE=ON");
    }
#endif
    return with_element(problem.storage, [&]<class Element>() {
        return with_lanes(problem.rank, [&]<int Lanes, int Chunks>() {
            return make_cpu_backend_of<Element, Lanes, Chunks>(problem, initial, threads);
        });
    });
}

}  // namespace lockstep::sgd
