// The memory allocator of the programs.
#pragma once

namespace lockstep::cli {

/// Returns the free memory that the allocator keeps for later arrays to the system.
void release_free_memory();

}  // namespace lockstep::cli
