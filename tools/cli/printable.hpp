// Text of files, names and messages made safe for a terminal.
#pragma once

#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/formats/text.hpp"

namespace lockstep::cli {

using text::printable;

/// Characters of UTF-8, which is how wide they are on a terminal.
std::size_t columns(std::string_view text);
/// A command line as one would type it.
std::string shell_text(const std::vector<std::string>& command);

/// What stands behind std::cout and std::cerr in a program: printable text, straight to a file descriptor.
class PrintableBuffer : public std::streambuf {
public:
    explicit PrintableBuffer(int file) : file_(file) {}
    /// errno of the first write that failed, or 0.
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
