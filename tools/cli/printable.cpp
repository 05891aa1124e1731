#include "printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "lockstep/formats/descriptor.hpp"

namespace lockstep::cli {

namespace {

constexpr std::size_t buffer_size = 1 << 16;

/// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none, or with a control
/// character.
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return (first >= 0x20 && first != 0x7F) || first == '\n' || first == '\t' ? 1 : 0;
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return 0;
    }
    const unsigned second = byte(1);
    const bool control = first == 0xC2 && second < 0xA0,
               overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90),
               outside = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
    return control || overlong || outside ? 0 : size;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        if (size > 0)
            safe += text.substr(0, size);
        else
            safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        text.remove_prefix(std::max<std::size_t>(1, size));
    }
    return safe;
}

std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string shell_text(const std::vector<std::string>& command) {
    std::string text;
    for (const std::string& word : command) {
        const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
            return std::isalnum(c) || c >= 0x80 ||
                   std::string_view("-_./=,:+@%").find(static_cast<char>(c)) != std::string_view::npos;
        });
        std::string quoted = word;
        for (std::size_t i = 0; (i = quoted.find('\'', i)) != std::string::npos; i += 4)
            quoted.replace(i, 1, "'\\''");
        text += (text.empty() ? "" : " ") + (plain ? word : "'" + quoted + "'");
    }
    return text;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
    if (c == traits_type::eof()) return 0;
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
    waiting_.append(text, static_cast<std::size_t>(size));
    if (waiting_.size() > buffer_size) {  // up to the end of a line: characters stay whole
        const std::size_t lines = waiting_.rfind('\n') + 1, end = lines > 0 ? lines : waiting_.size();
        put(printable(std::string_view(waiting_).substr(0, end)));
        waiting_.erase(0, end);
    }
    return error_ ? 0 : size;
}

int PrintableBuffer::sync() {
    put(printable(waiting_));
    waiting_.clear();
    return error_ ? -1 : 0;
}

void PrintableBuffer::put(std::string_view text) {
    while (!text.empty() && error_ == 0) {
        const ssize_t count = write_waiting(file_, text);
        if (count >= 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EINTR)
            error_ = errno;
    }
}

}  // namespace lockstep::cli
