#include "gunzip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

#include "lockstep/formats/error.hpp"

namespace lockstep::readers {

Gunzip::Gunzip(InputFile& file) : file_(file), block_(std::size_t{1} << 18) {
    constexpr int largest_window = 15, gzip_only = 16;
    if (inflateInit2(&stream_, largest_window + gzip_only) != Z_OK) throw std::bad_alloc();
}

void Gunzip::fail(const char* why) const {
    throw FormatError(file_.name(),
                      fmt::format("cannot be read to its end, it is damaged or cut short: gzip: {}", why));
}

bool Gunzip::fill() {
    if (stream_.avail_in > 0) return true;
    stream_.next_in = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_in = static_cast<uInt>(file_.read(block_.data(), block_.size()));
    return stream_.avail_in > 0;
}

bool Gunzip::next_member() {
    // Tapes and block devices append zeros, which gzip ignores, too.
    bool padded = false;
    for (; fill() && *stream_.next_in == 0; ++stream_.next_in, --stream_.avail_in) padded = true;
    if (stream_.avail_in == 0) return false;
    if (padded || *stream_.next_in != 0x1F) fail("other bytes follow the compressed data");
    inflateReset(&stream_);
    return in_member_ = true;
}

std::size_t Gunzip::read(char* into, std::size_t size) {
    std::size_t done = 0;
    while (done < size && (in_member_ || next_member())) {
        const bool more = fill();
        const auto capacity =
            static_cast<uInt>(std::min<std::size_t>(size - done, std::numeric_limits<uInt>::max()));
        stream_.next_out = reinterpret_cast<Bytef*>(into + done);
        stream_.avail_out = capacity;
        const int result = inflate(&stream_, Z_NO_FLUSH);
        done += capacity - stream_.avail_out;
        if (result == Z_STREAM_END) {
            in_member_ = false;
        } else if (result == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (result == Z_BUF_ERROR && !more) {
            fail("it ends within the compressed data");
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            fail(stream_.msg ? stream_.msg : "the data cannot be unpacked");
        }
    }
    return done;
}

}  // namespace lockstep::readers
