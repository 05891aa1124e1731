// Ranked lists of items: the best for users, the most similar to an item.
#pragma once

#include <optional>
#include <vector>

#include "cli.hpp"
#include "rated.hpp"
#include "record_writer.hpp"

namespace lockstep::predict {

/// Writes the `top` items of the users (all users where none are given) that they have not rated.
/// Blocks of users go in parallel and are written in order, so that memory does not grow with the
/// number of users. O(users cols rank).
void recommend(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
               const Rated& rated, RecordWriter& writer, const cli::Common& common);

/// Writes the `top` items by cosine similarity of their vectors to that of `item`, without itself; a
/// zero vector is similar to nothing (0).
void similar(const Model& model, VertexId item, std::size_t top, RecordWriter& writer);

}  // namespace lockstep::predict
