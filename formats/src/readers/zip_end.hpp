// The record at the end of a zip archive (APPNOTE.TXT of PKWARE, section 4.3.16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::readers {

/// Of the record and the longest comment that may follow it.
constexpr std::size_t zip_end_most_bytes = 22 + 0xFFFF;
/// What zip_entries() is where the number stands in another record.
constexpr std::uint64_t zip_entries_elsewhere = 0xFFFF;

/// The number of files that the record counts; nothing where `tail`, the last bytes of the archive, does not
/// end with a record and the comment that it announces.
std::optional<std::uint64_t> zip_entries(std::string_view tail);

}  // namespace lockstep::readers
