#include "zip_end.hpp"

namespace lockstep::readers {
namespace {

constexpr std::size_t record_bytes = 22, entries_at = 10, directory_bytes_at = 12, directory_at = 16,
                      comment_at = 20;

/// Returns the little-endian number of `bytes` bytes at position `at`.
std::uint64_t number_at(std::string_view text, std::size_t at, std::size_t bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = bytes; i-- > 0;) number = number << 8 | static_cast<unsigned char>(text[at + i]);
    return number;
}

ZipEnd read_end(std::string_view tail, std::size_t at) {
    constexpr std::uint64_t elsewhere_16 = 0xFFFF, elsewhere_32 = 0xFFFF'FFFF;
    // Size of the locator of the zip64 record, which precedes the record at the end.
    constexpr std::size_t locator_bytes = 20;
    const std::uint64_t entries = number_at(tail, at + entries_at, 2),
                        directory_bytes = number_at(tail, at + directory_bytes_at, 4),
                        directory = number_at(tail, at + directory_at, 4);
    ZipEnd end;
    if (entries != elsewhere_16) end.entries = entries;
    const bool zip64 = at >= locator_bytes && tail.substr(at - locator_bytes).starts_with("PK\6\7");
    if (!zip64 && directory_bytes != elsewhere_32 && directory != elsewhere_32)
        end.bytes = directory + directory_bytes + (tail.size() - at);
    return end;
}

}  // namespace

std::optional<ZipEnd> find_zip_end(std::string_view tail) {
    if (tail.size() < record_bytes) return std::nullopt;
    for (std::size_t at = tail.size() - record_bytes;; --at) {
        at = tail.rfind("PK\5\6", at);
        if (at == std::string_view::npos) return std::nullopt;
        if (at + record_bytes + number_at(tail, at + comment_at, 2) == tail.size()) return read_end(tail, at);
        if (at == 0) return std::nullopt;
    }
}

}  // namespace lockstep::readers
