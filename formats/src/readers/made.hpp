// Conversion of a reader's result to a dataset.
#pragma once

#include "readers.hpp"

namespace lockstep::readers {

/// Returns the options with the memory limit filled in. Throws Error (usage) if the assignment of times to
/// edges would be lost.
ReadOptions with_limit(ReadOptions options);
/// Builds a dataset from parsed edges. `name` is the name of the input for messages. Throws FormatError and
/// Error (usage).
Dataset made(Parsed parsed, const ReadOptions& options, const std::string& name);

}  // namespace lockstep::readers
