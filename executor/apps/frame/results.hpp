// The columns of a result: by original id, as text or HDF5, and the vertices of the highest values.
#pragma once

#include <limits>

#include "apps/frame/application.hpp"

namespace lockstep {

/// Of a vertex without a value, as ResultColumn::unreached has it.
template <class T>
constexpr T without_value = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                 : std::numeric_limits<T>::max();

using ResultValue = std::variant<float, std::uint32_t, std::uint64_t>;
std::string text_of(ResultValue value);
/// Null where it is not finite.
nlohmann::ordered_json json_of(ResultValue value);

using Top = std::vector<std::pair<VertexId, ResultValue>>;
/// The vertices of the highest values in the first column, the first of equal ones first.
Top top_of(const std::vector<ResultColumn>& columns, std::uint64_t count);

/// HDF5 where the name ends in .h5, else a line a vertex: its id and a value a column. Atomic.
void write_columns(const std::string& path, const Spec& spec, std::vector<ResultColumn> columns,
                   const Input& input, const RunHeader& header, std::uint64_t rounds);

}  // namespace lockstep
