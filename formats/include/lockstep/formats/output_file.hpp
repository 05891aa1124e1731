// OutputFile: a buffered stream to a file, which appears under its name only when it is complete, or to
// standard output.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep {

class AtomicFile;

/// A buffered writer. A regular file gets its name in commit(); without this call, no file is left behind.
/// Standard output ("-"), devices and pipes are written directly. Every function throws OutputError.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    /// Returns a pointer to at least `size` free bytes of the buffer (size ≤ buffer_size), to which the
    /// caller can format text. The caller must then call advance() with the end of this text.
    char* reserve(std::size_t size) {
        if (size > buffer_size - used_) flush();
        return buffer_.data() + used_;
    }
    void advance(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
    /// Writes the buffered text, so that programs that follow the output see it.
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
    /// Set if the output is a regular file; otherwise `file_` is the descriptor.
    std::unique_ptr<AtomicFile> atomic_;
    int file_ = -1;
    bool terminal_ = false;
};

}  // namespace lockstep
