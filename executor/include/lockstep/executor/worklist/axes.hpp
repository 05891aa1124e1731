// Two of IrGL's optimizations of a loop over a worklist, as options. The options do not change the result.
// The third optimization, nested parallelism, is in csr/shares.hpp.
#pragma once

namespace lockstep::worklist {

/// Whether the loop runs on the host, with one launch per kernel, or on the device, in one launch with
/// device-wide barriers (iteration outlining).
enum class Loop { host, outlined };
/// Group of threads that shares one atomic operation when its threads append to a list (cooperative
/// conversion).
enum class Append { thread, warp, block };

}  // namespace lockstep::worklist
