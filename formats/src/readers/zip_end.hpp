// The record at the end of a zip archive (APPNOTE.TXT of PKWARE, section 4.3.16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::readers {

/// Maximum size of the record and of the comment that may follow it.
constexpr std::size_t zip_end_most_bytes = 22 + 0xFFFF;
/// Contents of the record. Values that are stored in another record, as in zip64, are missing.
struct ZipEnd {
    std::optional<std::uint64_t> entries;
    std::optional<std::uint64_t> bytes;  ///< size of the whole archive
};

/// Returns the record at the end of `tail`, the last bytes of an archive; std::nullopt if `tail` does not end
/// with a record and the comment that the record announces.
std::optional<ZipEnd> zip_end(std::string_view tail);

}  // namespace lockstep::readers
