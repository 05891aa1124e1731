// The names of attributes and formats in Lockstep's HDF5 files. SCHEMA.md describes their meanings. If a
// meaning changes, the major version must be increased.
#pragma once

#include <string_view>

namespace lockstep::schema {

inline constexpr const char* version = "1.4";
inline constexpr int major_version = 1;
inline constexpr int first_sealed_minor_version = 2;  ///< files with a smaller minor version have no seal

// Names of the attributes of the root group in every file.
inline constexpr const char* format = "format";
inline constexpr const char* format_version = "version";
inline constexpr const char* program = "program";
inline constexpr const char* content_hash = "content_hash";

// Attribute of arrays, graphs, schedules, models and results.
inline constexpr const char* hash = "hash";

// Values of the attribute `format`.
inline constexpr std::string_view schedules_format = "lockstep-schedules";
inline constexpr std::string_view model_format = "lockstep-model";
inline constexpr std::string_view ranks_format = "lockstep-ranks";
inline constexpr std::string_view result_format = "lockstep-result";

// Attributes of groups that follow the encoding of AnnData.
inline constexpr const char* encoding_type = "encoding-type";
inline constexpr const char* encoding_version = "encoding-version";

/// Maximum length of an original ID in bytes. Readers rely on it.
inline constexpr unsigned max_id_bytes = 4096;

}  // namespace lockstep::schema
