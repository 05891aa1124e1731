// Conversion of the result of a reader, edges in input order, to a dataset.
#pragma once

#include "readers.hpp"

namespace lockstep::readers {

/// Returns the options with the default memory limit filled in, if none is set. Throws Error (usage) for
/// options with which times could not be assigned to edges.
ReadOptions with_limit(ReadOptions options);
/// Builds a dataset from the result of a reader. `name` is the name of the input for messages. Throws
/// FormatError or Error (usage).
Dataset make_checked_dataset(ParsedFile parsed, const ReadOptions& options, const std::string& name);

}  // namespace lockstep::readers
