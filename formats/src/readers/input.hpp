// The data of an input: a plain or compressed file, or a file in an archive.
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

/// The decompressed bytes of one input. Throws FormatError for damage, as far as the format allows its
/// detection, and for bytes that follow the end of the data.
class Input {
public:
    using Recognise = bool (*)(const Input&);
    /// Opens the input. In an archive, the file `member` is read; its folders may be omitted if the name is
    /// unique. Without `member`, the only file is read, or the only file that `recognise` accepts.
    explicit Input(InputFile& file, std::string member = {}, Recognise recognise = nullptr);

    const std::string& name() const { return file_.name(); }
    /// Returns the name of the data in lower case, without folder and compression suffix: "ratings.csv".
    const std::string& plain_name() const { return plain_name_; }
    /// Returns the compression: "none", "xz", "zip: ratings.csv", "gzip tar: ratings.csv".
    const std::string& compression() const { return compression_; }
    /// Returns the size in bytes of a plain file; 0 if the size is not known in advance.
    std::uint64_t size() const { return compression_ == "none" ? file_.size() : 0; }
    /// Returns the first 64 KiB (less if the input is shorter) without consuming them.
    std::string_view head() const { return head_; }

    /// Reads up to `size` bytes and returns their number, which is less than `size` only at the end.
    std::size_t read(char* into, std::size_t size);
    /// Reads the rest of the file, so that all checksums are checked. Throws FormatError if there are
    /// trailing bytes, or if another file of the archive may also be meant.
    void finish();
    /// Returns the number of files in the archive (after `finish`); 0 if the input is not an archive.
    EdgeId members() const { return members_; }

private:
    struct Close {
        void operator()(archive* a) const;
    };
    struct Callbacks;
    void open();
    // Selection of the file in an archive (input_members.cpp).
    bool next_member();
    bool wanted() const;
    void choose_member();
    bool another_wanted();
    void take_name(const std::string& path);
    [[noreturn]] void fail_listing(const std::string& why) const;
    // Reading of its bytes.
    void read_head();
    std::size_t read_raw(char* into, std::size_t size);
    std::size_t read_archive(char* into, std::size_t size);
    void keep_tail(std::string_view bytes);
    void require_zip_end();
    [[noreturn]] void fail_damaged() const;

    InputFile& file_;
    std::string wanted_;
    Recognise recognise_;
    std::string plain_name_, member_, compression_ = "none", head_;
    std::size_t head_used_ = 0;
    std::unique_ptr<Gunzip> gunzip_;
    // Empty if the data are plain, or compressed by gzip without an archive.
    std::unique_ptr<archive, Close> archive_;
    archive_entry* entry_ = nullptr;
    std::vector<char> block_;     // buffer from which libarchive reads
    std::exception_ptr failure_;  // exception of a callback
    bool archived_ = false;
    // `members_`: number of regular files; `entries_`: also folders and links.
    EdgeId members_ = 0, entries_ = 0;
    std::vector<std::string> listed_;  // names of the first members
    std::string tail_;                 // last bytes of an archive without random access
    std::uint64_t raw_bytes_ = 0;      // number of bytes of that archive that were read so far
};

}  // namespace lockstep::readers
