// Two of IrGL's optimisations of a loop over a worklist, of which any combination gives the same result. The third
// one, nested parallelism, is csr/shares.hpp.
#pragma once

namespace lockstep::worklist {

/// Where the loop is: on the host, a launch a kernel; or on the device behind its barrier, in one launch (iteration
/// outlining).
enum class Loop { host, outlined };
/// Who adds to a list with one atomic operation (cooperative conversion).
enum class Append { thread, warp, block };

}  // namespace lockstep::worklist
