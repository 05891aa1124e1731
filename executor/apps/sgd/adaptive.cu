// SGD with adaptive rates on CUDA: kernels for all ranks, on 32 lanes. Lanes without components add zeros, so
// that the sums are those of fewer lanes.
#include "apps/sgd/adaptive.hpp"
#include "lockstep/executor/edge/execute.cuh"

namespace lockstep::sgd {

template <class Element>
using WarpOperator = SgdOperator<DeviceLanes<32>, 2, true, false, Element>;

template <class Element>
SweepCounts adaptive_sweep(gpu::DevicePlan& plan, const WarpOperator<Element>& op, const float* row_share,
                           const float* col_share, double* seconds) {
    return plan.sweep(AdaptiveOperator<DeviceLanes<32>, 2, Element>(op, row_share, col_share), seconds);
}

template SweepCounts adaptive_sweep<float>(gpu::DevicePlan&, const WarpOperator<float>&, const float*,
                                           const float*, double*);
template SweepCounts adaptive_sweep<Half>(gpu::DevicePlan&, const WarpOperator<Half>&, const float*,
                                          const float*, double*);

}  // namespace lockstep::sgd
