// Names in Lockstep's HDF5 files. SCHEMA.md describes them. A change of meaning requires a new major version.
#pragma once

#include <string_view>

namespace lockstep::schema {

inline constexpr const char* version = "1.4";
inline constexpr int major_version = 1;
inline constexpr int first_sealed_minor_version = 2;  ///< files with an older minor version have no seal

// Root attributes of every file.
inline constexpr const char* format = "format";
inline constexpr const char* format_version = "version";
inline constexpr const char* program = "program";
inline constexpr const char* content_hash = "content_hash";

// Attribute of arrays, of the graph, of a schedule and of a model.
inline constexpr const char* hash = "hash";

// Values of `format`.
inline constexpr std::string_view schedules_format = "lockstep-schedules";
inline constexpr std::string_view model_format = "lockstep-model";
inline constexpr std::string_view ranks_format = "lockstep-ranks";
inline constexpr std::string_view result_format = "lockstep-result";

// Attributes of encoded groups, as in AnnData.
inline constexpr const char* encoding_type = "encoding-type";
inline constexpr const char* encoding_version = "encoding-version";

/// Maximum length of an original id in bytes, on which readers rely.
inline constexpr unsigned max_id_bytes = 4096;

}  // namespace lockstep::schema
