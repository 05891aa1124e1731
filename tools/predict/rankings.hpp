// Ranked lists of items: the best for users, the most similar to an item.
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

/// Takes the list of the place-th user.
using TakeList = std::function<void(std::size_t place, std::span<const Ranked> list)>;

/// Which items no list of a user may hold.
struct LeftOut {
    Rated rated;        ///< those that the user has in other ratings
    bool taken = true;  ///< those that the user has in the ratings the model was fitted to
};

/// Ranks the items for the users (all users where none are given) and passes the `top` ones to `take`,
/// highest score first. Blocks of users go in parallel and are taken in order, so that memory does not grow
/// with the number of users; `block(done)` is called before each and may throw. O(users cols rank).
void rank_items(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
                const LeftOut& left_out, const std::function<void(std::size_t done)>& block,
                const TakeList& take);

/// The `top` items by cosine similarity of their vectors to that of `item`, without itself; a zero vector is
/// similar to nothing (0).
std::vector<Ranked> most_similar(const Model& model, VertexId item, std::size_t top);

/// Writes the lists of rank_items.
void recommend(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
               const LeftOut& left_out, RecordWriter& writer, const cli::Common& common);

/// Writes most_similar.
void similar(const Model& model, VertexId item, std::size_t top, RecordWriter& writer);

}  // namespace lockstep::predict
