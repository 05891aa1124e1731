// The queries of a model: pairs and users, by their original IDs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::predict {

/// Returns the vertex of an ID. Throws Error (bad input) with a description of the valid IDs if there is
/// none.
VertexId known(const IdMap& ids, std::string_view id, const char* side);

/// A queried pair; a vertex is absent if the model does not know its ID.
struct PairQuery {
    std::string_view row, col;
    std::optional<VertexId> u, i;
};

/// Calls `use` for the pairs of a graph or ratings file of any format, in the order of the file; further
/// fields of a line are ignored. If `strict`, throws FormatError with the number of the pair if the model
/// does not know an ID.
void for_each_pair(const std::string& path, ReadOptions reading, const Model& model, bool strict,
                   const std::function<void(const PairQuery&)>& use);

/// Returns the users that are named, in this order. A name is an ID of the model, a file with one ID per
/// line, or a list of IDs separated by commas; an ambiguous name is the first of these. An ID that the model
/// does not know is added to `unknown`. Throws Error (bad input) if `unknown` is null, or if all users are
/// unknown.
std::vector<VertexId> find_users(const Model& model, const std::vector<std::string>& named,
                                 std::vector<std::string>* unknown);

}  // namespace lockstep::predict
