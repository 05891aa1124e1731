// An output file that a program writes as a stream. It appears complete under its final name, or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep {

class AtomicFile;

/// Buffered writer. commit() gives a regular file its name; without it, no file is left behind. "-" is
/// standard output. Standard output, devices and pipes are written in place. Every member throws OutputError.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    /// Returns a buffer for at least `size` bytes (size ≤ buffer_size), so that text can be formatted in
    /// place. `advance` takes the end of the text written there.
    char* reserve(std::size_t size) {
        if (size > buffer_size - used_) flush();
        return buffer_.data() + used_;
    }
    void advance(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
    /// Writes out the buffered text, for readers that follow the output.
    void flush();
    /// Flushes everything and gives the file its final name.
    void commit();

    const std::string& path() const { return path_; }
    static constexpr std::size_t buffer_size = std::size_t{1} << 20;

private:
    void put(std::string_view text);
    [[noreturn]] void fail(int error) const;

    std::string path_, buffer_;
    std::size_t used_ = 0;
    std::uint64_t written_ = 0;
    std::unique_ptr<AtomicFile> atomic_;  ///< set for a regular file; otherwise `file_` is written in place
    int file_ = -1;
    bool terminal_ = false;
};

}  // namespace lockstep
