// The record at the end of a zip archive (APPNOTE.TXT of PKWARE, section 4.3.16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::readers {

/// Of the record and the longest comment that may follow it.
constexpr std::size_t zip_end_most_bytes = 22 + 0xFFFF;
/// What the record says; nothing of what stands in another record, as in zip64.
struct ZipEnd {
    std::optional<std::uint64_t> entries;
    std::optional<std::uint64_t> bytes;  ///< of the whole archive
};

/// Nothing where `tail`, the last bytes of the archive, does not end with a record and the comment that it
/// announces.
std::optional<ZipEnd> zip_end(std::string_view tail);

}  // namespace lockstep::readers
