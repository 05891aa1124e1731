// What is asked of a model: pairs and users, by original ids.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

/// The vertex of an id. Throws Error (bad input) that says which ids there are.
VertexId known(const IdMap& ids, std::string_view id, const char* side);

/// One line of a file of pairs; a vertex is absent where the model does not know the id.
struct PairQuery {
    std::string_view row, col;
    std::optional<VertexId> u, i;
};

/// Reads `row col` lines, plain or compressed ("-" = standard input): two ids apart by a tab where the
/// line has one, else by blanks. With `strict`, ids unknown to the model throw FormatError as anything
/// malformed does.
void for_each_pair(const std::string& path, const Model& model, bool strict,
                   const std::function<void(const PairQuery&)>& use);

/// The users named, in this order: ids of the model, or files with one id a line.
std::vector<VertexId> find_users(const Model& model, const std::vector<std::string>& named);

}  // namespace lockstep::predict
