// Two of IrGL's optimisations of a loop over a worklist. All combinations give the same result. The third
// optimisation, nested parallelism, is in csr/shares.hpp.
#pragma once

namespace lockstep::worklist {

/// Location of the loop: on the host, with one launch per kernel, or on the device, in one launch with
/// device-wide barriers (iteration outlining).
enum class Loop { host, outlined };
/// Threads that share one atomic operation when they append to a list (cooperative conversion).
enum class Append { thread, warp, block };

}  // namespace lockstep::worklist
