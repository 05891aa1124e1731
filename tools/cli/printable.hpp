// Conversion of text of files, names and messages to text that is safe for a terminal.
#pragma once

#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/formats/text.hpp"

namespace lockstep::cli {

using text::printable;

/// Returns the number of UTF-8 characters, which is the width of the text on a terminal.
std::size_t columns(std::string_view text);
/// Returns a command line quoted for a shell.
std::string quote_for_shell(const std::vector<std::string>& command);

/// The stream buffer of std::cout and std::cerr in a program: makes text printable and writes it to a file
/// descriptor.
class PrintableBuffer : public std::streambuf {
public:
    explicit PrintableBuffer(int file) : file_(file) {}
    /// Returns errno of the first write that failed, or 0.
    int error() const { return error_; }

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

private:
    void put(std::string_view text);
    int file_, error_ = 0;
    std::string waiting_;
};

}  // namespace lockstep::cli
