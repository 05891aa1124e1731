// Names in Lockstep's HDF5 files. SCHEMA.md explains them; a change of meaning is a new major version.
#pragma once

#include <string_view>

namespace lockstep::schema {

inline constexpr const char* version = "1.4";
inline constexpr int major_version = 1;
inline constexpr int first_sealed_minor_version = 2;  ///< files of older ones have no seal

// Root attributes of every file.
inline constexpr const char* format = "format";
inline constexpr const char* format_version = "version";
inline constexpr const char* program = "program";
inline constexpr const char* content_hash = "content_hash";

// Of arrays, of the graph, of a schedule, of a model.
inline constexpr const char* hash = "hash";

// Values of `format`.
inline constexpr std::string_view schedules_format = "lockstep-schedules";
inline constexpr std::string_view model_format = "lockstep-model";
inline constexpr std::string_view ranks_format = "lockstep-ranks";
inline constexpr std::string_view result_format = "lockstep-result";

// Attributes of encoded groups, as AnnData has them.
inline constexpr const char* encoding_type = "encoding-type";
inline constexpr const char* encoding_version = "encoding-version";

/// Longest original id, in bytes: a bound that a reader can rely on.
inline constexpr unsigned max_id_bytes = 4096;

}  // namespace lockstep::schema
