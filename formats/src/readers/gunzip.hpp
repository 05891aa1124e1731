// Decompression of gzip files that checks the checksum and length of every member. libarchive checks neither.
#pragma once

#include <zlib.h>

#include <vector>

#include "lockstep/formats/input_file.hpp"

namespace lockstep::readers {

/// The decompressed bytes of all members of a gzip file, one after another. Throws FormatError if a member is
/// truncated, if its CRC32 or length is wrong, or if bytes other than zeros follow the last member.
class Gunzip {
public:
    static bool is_gzip(std::string_view head) { return head.starts_with("\x1F\x8B\x08"); }

    explicit Gunzip(InputFile& file);
    ~Gunzip() { inflateEnd(&stream_); }
    Gunzip(const Gunzip&) = delete;
    Gunzip& operator=(const Gunzip&) = delete;

    /// Reads up to `size` bytes and returns their number. The number is less than `size` only at the end.
    std::size_t read(char* into, std::size_t size);

private:
    bool fill();
    bool next_member();
    [[noreturn]] void fail(const char* why) const;

    InputFile& file_;
    std::vector<char> block_;
    z_stream stream_{};
    bool in_member_ = true;
};

}  // namespace lockstep::readers
