#include "unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "../schema.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::readers {
namespace {

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

/// Returns whether a character is a blank or a mark that is invisible or changes the text direction. With
/// such characters, two different IDs could look equal.
bool is_invisible(char32_t c) {
    // Blanks other than the ordinary one, and the characters with Unicode's property
    // Default_Ignorable_Code_Point.
    constexpr std::pair<char32_t, char32_t> ranges[] = {
        {0xA0, 0xA0},     {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},    {0x115F, 0x1160},
        {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x2000, 0x200F},   {0x2028, 0x202F},  {0x205F, 0x206F},
        {0x2800, 0x2800}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](const auto& range) { return c >= range.first && c <= range.second; });
}

/// Removes about `most` bytes from the beginning of `text`, and returns them with \xNN for invalid UTF-8 and
/// for characters for which keep(character) is false.
template <class Keep>
std::string escape_characters(std::string_view& text, std::size_t most, Keep keep) {
    const std::size_t size = text.size();
    std::string safe;
    safe.reserve(std::min(size, most));
    while (!text.empty() && size - text.size() < most) {
        const Utf8 c = utf8_at(text);
        const std::string_view bytes = text.substr(0, std::max<std::size_t>(c.bytes, 1));
        if (c.bytes > 0 && keep(c.code)) {
            safe += bytes;
        } else {
            for (const char byte : bytes) safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        }
        text.remove_prefix(bytes.size());
    }
    return safe;
}

}  // namespace

std::string printable(std::string_view text) { return escape_characters(text, text.size(), is_visible); }

std::string shown(std::string_view token) {
    constexpr std::size_t most = 40;
    const std::string text = escape_characters(token, most, is_visible);
    return "\"" + text + (token.empty() ? "\"" : "…\"");
}

bool is_visible(char32_t c) { return !is_control(c) && !is_invisible(c); }

Utf8 utf8_at(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return {1, first};
    const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return {};
    char32_t code = first & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3F);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[bytes] || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
    return {bytes, code};
}

std::string id_fault(std::string_view id) {
    if (id.size() > schema::max_id_bytes) {
        return fmt::format("is {} bytes long; expected at most {} (shorten the ids, or number them)",
                           id.size(), schema::max_id_bytes);
    }
    bool other = false;  // computed without a branch per byte, since nearly all IDs are plain ASCII
    for (const char c : id) other |= static_cast<unsigned char>(c - ' ') >= 0x7F - ' ';
    if (!other) return {};
    while (!id.empty()) {
        const Utf8 c = utf8_at(id);
        if (c.bytes == 0) {
            return fmt::format(
                "is not UTF-8 (byte {:#04x}); convert the file, for example with iconv -f LATIN1 -t UTF-8",
                static_cast<unsigned char>(id[0]));
        }
        if (c.code == '\n' || c.code == '\r')
            return "has a line break inside quotes; an id must be on one line: remove the line break";
        if (is_control(c.code))
            return fmt::format("holds the control character U+{:04X}; remove it", std::uint32_t{c.code});
        if (is_invisible(c.code)) {
            return fmt::format("holds the invisible character U+{:04X}; remove it, or write a blank",
                               std::uint32_t{c.code});
        }
        id.remove_prefix(c.bytes);
    }
    return {};
}

}  // namespace lockstep::readers

std::string lockstep::text::printable(std::string_view text) {
    return readers::escape_characters(
        text, text.size(), [](char32_t c) { return c == '\n' || c == '\t' || !readers::is_control(c); });
}
