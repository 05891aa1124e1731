// Limitation of the memory of lockstep-preprocess (--memory), for data larger than the memory.
//
// Readers, builders, verifier and writer access their large arrays sequentially, or distribute them over some
// hundred output streams by a radix partition (grouping.hpp). Therefore large arrays can be mapped from
// temporary files. Whenever the process comes near its limit, the pages of these arrays are released from
// memory; the operating system reads them again at the next access. The rest of the program does not depend
// on the limit, and its output is byte-identical with any limit.
#pragma once

#include <filesystem>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Returns the minimum limit in bytes for the given number of threads. It includes the program, its libraries
/// and working memory, and the buffers of the threads.
EdgeId min_memory(int threads);

/// Limits the resident memory of the process to about `bytes`, which must be at least min_memory(). Blocks
/// of 256 KiB or more may occupy a quarter of `bytes` minus 64 MiB (which the program and its libraries need)
/// on the heap; further blocks are mapped from files in `folder`. The files have no names, so none is left
/// behind when the process ends. Must be called at most once. Memory that C libraries allocate is not
/// limited.
void bound_memory(EdgeId bytes, const std::filesystem::path& folder);

/// Returns the maximum total size in bytes of the blocks that were mapped from temporary files at the same
/// time.
EdgeId max_mapped();

/// Throws OutputError with the reason if a temporary file could not be created. Call it after catching
/// std::bad_alloc, which does not contain the reason.
void check_temporary_files();

}  // namespace lockstep
