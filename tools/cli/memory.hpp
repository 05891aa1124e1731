// The programs' allocator.
#pragma once

namespace lockstep::cli {

/// Gives memory that is kept for later arrays back to the system.
void release_free_memory();

}  // namespace lockstep::cli
