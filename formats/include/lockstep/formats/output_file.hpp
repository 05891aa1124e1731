// A result file that a program writes as a stream: whole under its final name, or not there at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep {

class AtomicFile;

/// Buffered writer. A file gets its name by commit(), and without it leaves nothing behind. "-" is
/// standard output; that, devices and pipes are written in place. Every member throws OutputError.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    /// Room for at least `size` bytes (at most buffer_size) to format in place; `advance` takes the
    /// end of what was written there.
    char* reserve(std::size_t size) {
        if (size > buffer_size - used_) flush();
        return buffer_.data() + used_;
    }
    void advance(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
    /// What was written so far: for whoever reads along.
    void flush();
    /// Everything on disk and under its name.
    void commit();

    const std::string& path() const { return path_; }
    static constexpr std::size_t buffer_size = std::size_t{1} << 20;

private:
    void put(std::string_view text);
    [[noreturn]] void fail(int error) const;

    std::string path_, buffer_;
    std::size_t used_ = 0;
    std::uint64_t written_ = 0;
    std::unique_ptr<AtomicFile> atomic_;  ///< a regular file; otherwise file_ is written in place
    int file_ = -1;
    bool terminal_ = false;
};

}  // namespace lockstep
