// Ratings that are given in addition to a model.
#pragma once

#include <filesystem>

#include "lockstep/formats/dataset.hpp"

namespace lockstep::predict {

/// Reads a ratings file of any format ("-" = standard input), or the graph of a schedule file. Throws
/// FormatError.
Dataset read_ratings(const std::filesystem::path& path, ReadOptions reading);

}  // namespace lockstep::predict
