// Ratings that are given beside a model.
#pragma once

#include <filesystem>

#include "lockstep/formats/dataset.hpp"

namespace lockstep::predict {

/// A ratings file of any format ("-" = standard input), or the graph of a schedule file. Throws FormatError.
Dataset read_ratings(const std::filesystem::path& path, ReadOptions reading);

}  // namespace lockstep::predict
