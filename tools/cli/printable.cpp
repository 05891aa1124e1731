#include "printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "lockstep/formats/descriptor.hpp"

namespace lockstep::cli {

namespace {

constexpr std::size_t buffer_size = 1 << 16;

}  // namespace

std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string quote_for_shell(const std::vector<std::string>& command) {
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
    if (waiting_.size() > buffer_size) {  // writes up to the end of a line, so that characters are not split
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
