// Processing of more data than fits in memory.
//
// Readers, builders, verifier and writer either pass through their large arrays in order, or scatter them
// into some hundred streams by a radix partition (grouping.hpp). The arrays therefore need not stay in
// memory: they are mapped from temporary files. Whenever the process comes near its bound, their resident
// pages are released; they are read again when they are next accessed. The code is the same with and without
// a bound, and so is every byte of its output.
#pragma once

#include <filesystem>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Returns the minimum bound for that number of threads: the program, its libraries and working memory, and
/// the buffers of each thread.
EdgeId least_memory(int threads);

/// Limits the resident memory of the process to about `bytes`, which must be at least least_memory(). When
/// the blocks of 256 KiB or more would exceed a quarter of the memory that the program and its libraries
/// (64 MiB) leave, new ones are mapped from files in `folder`. These files have no name, so that none
/// remains, however the process ends. Must be called at most once. Allocations of C libraries are not limited.
void bound_memory(EdgeId bytes, const std::filesystem::path& folder);

/// Returns the maximum number of bytes that were mapped from temporary files at the same time.
EdgeId most_mapped();

/// Throws OutputError if a temporary file could not be created. Call it after a std::bad_alloc, which does
/// not contain the reason.
void check_temporary_files();

}  // namespace lockstep
