// gzip, every member of it checked. (libarchive looks at neither the checksum nor the length.)
#pragma once

#include <zlib.h>

#include <vector>

#include "lockstep/formats/input_file.hpp"

namespace lockstep::readers {

/// The unpacked bytes of all members of a gzip file. Throws FormatError on a member whose CRC32 or length
/// is wrong or that is cut short, and on bytes behind the last one that are not zeros.
class Gunzip {
public:
    static bool is_gzip(std::string_view head) { return head.starts_with("\x1F\x8B\x08"); }

    explicit Gunzip(InputFile& file);
    ~Gunzip() { inflateEnd(&stream_); }
    Gunzip(const Gunzip&) = delete;
    Gunzip& operator=(const Gunzip&) = delete;

    /// Fills up to `size` bytes and returns how many; less than `size` only at the end.
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
