// Writes the result of an application, one or more columns of values by vertex, as text or HDF5 with the
// original vertex IDs; and finds the vertices with the highest values.
#pragma once

#include <limits>

#include "apps/frame/application.hpp"

namespace lockstep {

/// Marks a vertex that has no value, such as an unreached vertex. The output shows ResultColumn::unreached
/// for it.
template <class T>
constexpr T without_value = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                 : std::numeric_limits<T>::max();

using ResultValue = std::variant<float, std::uint32_t, std::uint64_t>;
/// Returns a value as text. A float has nine significant digits, which identify it exactly.
std::string text_of(ResultValue value);
/// Returns a value as JSON; null if it is not finite.
nlohmann::ordered_json json_of(ResultValue value);

using Top = std::vector<std::pair<VertexId, ResultValue>>;
/// Returns the `count` vertices with the highest values in the first column, the highest first. Vertices with
/// equal values are in ascending order.
Top top_of(const std::vector<ResultColumn>& columns, std::uint64_t count);

/// Writes the columns to the file `path`. A name that ends in .h5 selects HDF5; any other file is text with
/// one line per vertex: its original ID, and its value in each column. The file appears only when it is
/// complete.
void write_columns(const std::string& path, const Spec& spec, std::vector<ResultColumn> columns,
                   const Input& input, const RunHeader& header, std::uint64_t rounds);

}  // namespace lockstep
