// Ranked lists of items: the best items for users, and the items most similar to an item.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cli.hpp"
#include "rated.hpp"
#include "record_writer.hpp"
#include "scores.hpp"

namespace lockstep::predict {

/// A function that receives the list of the user at index `place`.
using TakeList = std::function<void(std::size_t place, std::span<const ScoredItem> list)>;

/// The items that are left out of a user's list.
struct ExcludedItems {
    KnownRatings rated;  ///< leave out the items that the user has in these ratings
    /// Leave out the items that the user has in the ratings to which the model was fitted.
    bool taken = true;
};

/// Ranks the items for the users (default: all users) and passes the `top` items of each to `take`, highest
/// score first. Blocks of users are processed in parallel and passed on in order, so that memory does not
/// grow with the number of users. Calls `block(done)` before each block; it may throw. O(users cols rank).
void rank_items(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
                const ExcludedItems& left_out, const std::function<void(std::size_t done)>& block,
                const TakeList& take);

/// Returns the `top` items by the cosine similarity of their vectors to the vector of `item`, which is left
/// out. The similarity of a zero vector is 0.
std::vector<ScoredItem> most_similar(const Model& model, VertexId item, std::size_t top);

/// Writes the lists of rank_items.
void recommend(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
               const ExcludedItems& left_out, RecordWriter& writer, const cli::Common& common);

/// Writes the list of most_similar.
void similar(const Model& model, VertexId item, std::size_t top, RecordWriter& writer);

}  // namespace lockstep::predict
