// Work on more data than memory may hold.
//
// The large arrays of readers, builders, checker and writer are passed through in order, or scattered into
// some hundred streams by the one radix partition (grouping.hpp). So they need not stay in memory: they are
// mapped from temporary files, and what is resident of them is let go, to be fetched again where it is
// needed, whenever the process reaches its bound. The code is the same, and so is every byte it makes.
#pragma once

#include <filesystem>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The least bound for so many threads: the program and its libraries, the buffers of each thread, and as
/// much again to work in.
EdgeId least_memory(int threads);

/// From now on the process keeps at most about `bytes` resident, at least least_memory: once blocks of 256
/// KiB or more take half of that, new ones are mapped from files in `folder`. These never have a name, so
/// that nothing is left however the process ends. To be called once; what C libraries allocate is not
/// bounded.
void bound_memory(EdgeId bytes, const std::filesystem::path& folder);

/// Bytes that are mapped from temporary files, at most so far.
EdgeId most_mapped();

/// Throws OutputError if a temporary file could not be made: the std::bad_alloc that came of it does not say.
void check_temporary_files();

}  // namespace lockstep
