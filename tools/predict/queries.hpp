// What is asked of a model: pairs and users, by original ids.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

/// The vertex of an id. Throws Error (bad input) that says which ids there are.
VertexId known(const IdMap& ids, std::string_view id, const char* side);

/// A pair that is asked for; a vertex is absent where the model does not know the id.
struct PairQuery {
    std::string_view row, col;
    std::optional<VertexId> u, i;
};

/// The pairs of a graph or ratings file of any format, in its order; what else a line says is not looked at.
/// With `strict`, ids unknown to the model throw FormatError with the number of the pair.
void for_each_pair(const std::string& path, ReadOptions reading, const Model& model, bool strict,
                   const std::function<void(const PairQuery&)>& use);

/// The users named, in this order: ids of the model, files with one id a line, or ids with commas between;
/// what could be several of these is the first of them. One that the model does not know goes to `unknown`;
/// without it, and where all are unknown, throws Error (bad input).
std::vector<VertexId> find_users(const Model& model, const std::vector<std::string>& named,
                                 std::vector<std::string>* unknown);

}  // namespace lockstep::predict
