// Writes the columns of a result by original id, as text or HDF5, and finds the vertices of the highest
// values.
#pragma once

#include <limits>

#include "apps/frame/application.hpp"

namespace lockstep {

/// Marks a vertex without a value, which ResultColumn::unreached replaces in the output.
template <class T>
constexpr T without_value = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                 : std::numeric_limits<T>::max();

using ResultValue = std::variant<float, std::uint32_t, std::uint64_t>;
/// Returns a value as text; floats have nine digits.
std::string text_of(ResultValue value);
/// Returns a value as JSON; null if it is not finite.
nlohmann::ordered_json json_of(ResultValue value);

using Top = std::vector<std::pair<VertexId, ResultValue>>;
/// Returns the `count` vertices with the highest values in the first column. Of equal values, the lowest
/// vertex comes first.
Top top_of(const std::vector<ResultColumn>& columns, std::uint64_t count);

/// Writes the columns to a file: HDF5 if the name ends in .h5, otherwise one line per vertex, with its id and
/// one value per column. The file appears atomically.
void write_columns(const std::string& path, const Spec& spec, std::vector<ResultColumn> columns,
                   const Input& input, const RunHeader& header, std::uint64_t rounds);

}  // namespace lockstep
