// The data of an input, decompressed. The input is a plain or compressed file, or a file in a zip or tar
// archive.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gunzip.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/schedules/types.hpp"

struct archive;
struct archive_entry;

namespace lockstep::readers {

/// The decompressed bytes of one input. Throws FormatError if the data are damaged, as far as the compression
/// format permits detection, and if other bytes follow their end.
class Input {
public:
    using FormatDetector = bool (*)(const Input&);
    /// Opens the input. If it is an archive, reads the file named `member`; the folders may be left out if
    /// the name is unique. If `member` is empty, reads the only file, or the only one for which `recognise`
    /// returns true.
    explicit Input(InputFile& file, std::string member = {}, FormatDetector recognise = nullptr);

    const std::string& name() const { return file_.name(); }
    /// Returns the name of the data in lower case, without folder and without the suffix of the compression,
    /// such as "ratings.csv".
    const std::string& plain_name() const { return plain_name_; }
    /// Returns the compression, such as "none", "xz", "zip: ratings.csv" or "gzip tar: ratings.csv".
    const std::string& compression() const { return compression_; }
    /// Returns the size of an uncompressed file in bytes, or 0 if the size of the data is not known in
    /// advance.
    std::uint64_t size() const { return compression_ == "none" ? file_.size() : 0; }
    /// Returns the first 64 KiB, or the whole input if it is shorter, without consuming them.
    std::string_view head() const { return head_; }

    /// Reads up to `size` bytes and returns their number. The number is less than `size` only at the end.
    std::size_t read(char* into, std::size_t size);
    /// Reads the rest of the input, so that all checksums are checked. Throws FormatError if other bytes
    /// follow the data, or if another file of the archive may be the one that the user means.
    void finish();
    /// Returns the number of files in the archive, or 0 if the input is not an archive. It is valid after
    /// finish().
    EdgeId members() const { return members_; }

private:
    struct Close {
        void operator()(archive* a) const;
    };
    struct Callbacks;
    void open();
    // Selection of the file to read from an archive (input_members.cpp).
    bool next_member();
    bool wanted() const;
    void choose_member();
    bool needs_another_member();
    void take_name(const std::string& path);
    [[noreturn]] void fail_listing(const std::string& why) const;
    // Reading of the bytes of this file.
    void read_head();
    std::size_t read_raw(char* into, std::size_t size);
    std::size_t read_archive(char* into, std::size_t size);
    void keep_tail(std::string_view bytes);
    void require_zip_end();
    [[noreturn]] void fail_damaged() const;

    InputFile& file_;
    std::string wanted_;
    FormatDetector recognise_;
    std::string plain_name_, member_, compression_ = "none", head_;
    std::size_t head_used_ = 0;
    std::unique_ptr<Gunzip> gunzip_;
    // Empty if the data are not in an archive and are uncompressed or compressed by gzip.
    std::unique_ptr<archive, Close> archive_;
    archive_entry* entry_ = nullptr;
    std::vector<char> block_;     // buffer from which libarchive reads
    std::exception_ptr failure_;  // exception that a callback of libarchive has thrown
    bool archived_ = false;
    // `members_`: number of regular files so far; `entries_`: number of all entries so far, including
    // folders.
    EdgeId members_ = 0, entries_ = 0;
    std::vector<std::string> listed_;  // names of the first files, for error messages
    std::string tail_;                 // last bytes of the archive, if it is not seekable
    std::uint64_t raw_bytes_ = 0;      // number of bytes that were read from an archive that is not seekable
};

}  // namespace lockstep::readers
