// Parser of the record at the end of a zip archive (APPNOTE.TXT of PKWARE, section 4.3.16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::readers {

/// Maximum size of the record and of the archive comment after it, in bytes.
constexpr std::size_t zip_end_most_bytes = 22 + 0xFFFF;
/// The contents of the record. Numbers that are stored elsewhere, as in zip64 archives, are absent.
struct ZipEnd {
    /// Number of entries of the archive.
    std::optional<std::uint64_t> entries;
    std::optional<std::uint64_t> bytes;  ///< size of the whole archive in bytes
};

/// Returns the record at the end of `tail`, which contains the last bytes of an archive. Returns std::nullopt
/// if `tail` does not end with a record and a comment of the length that the record states.
std::optional<ZipEnd> find_zip_end(std::string_view tail);

}  // namespace lockstep::readers
