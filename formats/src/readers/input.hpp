// Data of an input: plain, compressed, or a file of an archive.
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

/// The decompressed bytes of one input. Throws FormatError on anything that is damaged, as far as its
/// format can tell, and on bytes that follow where nothing should.
class Input {
public:
    using Recognise = bool (*)(const Input&);
    /// Of an archive the file `member` is read; its folders may be left out where that is clear. Where no
    /// member is named it is the only file, or else the only one that `recognise` takes.
    explicit Input(InputFile& file, std::string member = {}, Recognise recognise = nullptr);

    const std::string& name() const { return file_.name(); }
    /// Name of the data without folder and compression suffix, in lower case: "ratings.csv".
    const std::string& plain_name() const { return plain_name_; }
    /// "none", "xz", "zip: ratings.csv", "gzip tar: ratings.csv".
    const std::string& compression() const { return compression_; }
    /// Bytes of a plain file; 0 where they are not known beforehand.
    std::uint64_t size() const { return compression_ == "none" ? file_.size() : 0; }
    /// The first 64 KiB (less where the input is shorter); looking does not consume them.
    std::string_view head() const { return head_; }

    /// Fills up to `size` bytes and returns how many; less than `size` only at the end.
    std::size_t read(char* into, std::size_t size);
    /// Reads what is left to the end of the file, so that all checksums are looked at. Throws FormatError
    /// where bytes trail, or another file of an archive may be meant as well.
    void finish();
    /// Files of the archive (after `finish`), 0 where there is none.
    EdgeId members() const { return members_; }

private:
    struct Close {
        void operator()(archive* a) const;
    };
    struct Callbacks;
    void open();
    // Which file of an archive it is (input_members.cpp).
    bool next_member();
    bool wanted() const;
    void choose_member();
    bool another_wanted();
    void take_name(const std::string& path);
    [[noreturn]] void fail_listing(const std::string& why) const;
    // Its bytes.
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
    std::unique_ptr<archive, Close> archive_;  // none where the data is plain, or gzip alone
    archive_entry* entry_ = nullptr;
    std::vector<char> block_;     // that libarchive reads from
    std::exception_ptr failure_;  // of a callback
    bool archived_ = false;
    EdgeId members_ = 0, entries_ = 0;  // regular files, and folders and links as well
    std::vector<std::string> listed_;   // the first members
    std::string tail_;                  // of an archive that cannot be searched
    std::uint64_t raw_bytes_ = 0;       // of it, so far
};

}  // namespace lockstep::readers
