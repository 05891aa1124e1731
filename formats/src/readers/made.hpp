// From what a reader hands over to the graph.
#pragma once

#include "readers.hpp"

namespace lockstep::readers {

/// The options with a memory limit. Throws Error (usage) on times that would be lost.
ReadOptions with_limit(ReadOptions options);
/// From edges to the graph; `name` is the input's, for messages. Throws FormatError, Error (usage).
Dataset made(Parsed parsed, const ReadOptions& options, const std::string& name);

}  // namespace lockstep::readers
