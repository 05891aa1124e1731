// Bytes of an input: a file or standard input, plain, compressed or in an archive of one file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "lockstep/formats/error.hpp"
#include "lockstep/schedules/types.hpp"

struct archive;

namespace lockstep::readers {

/// The decompressed bytes of one input. Throws FormatError on anything that cannot be opened or is
/// damaged; of an archive the first regular file is read, and `require_single_file` refuses others.
class Input {
public:
    explicit Input(const std::filesystem::path& path);

    /// What messages call it: the path as given, or "standard input".
    const std::string& name() const { return name_; }
    /// Name of the data without folder and compression suffix, in lower case: "ratings.csv".
    const std::string& plain_name() const { return plain_name_; }
    /// "none", "xz", "zip: ratings.csv", "gzip tar: ratings.csv".
    const std::string& compression() const { return compression_; }
    /// Bytes of a plain file; 0 where they are not known beforehand.
    std::uintmax_t size() const { return size_; }
    /// The first 64 KiB (less where the input is shorter); looking does not consume them.
    std::string_view head() const { return head_; }

    /// Fills up to `size` bytes and returns how many; less than `size` only at the end.
    std::size_t read(char* into, std::size_t size);
    /// Throws FormatError that lists the members when the archive holds a second regular file.
    void require_single_file();

private:
    struct Close {
        void operator()(archive* a) const;
    };
    std::size_t read_archive(char* into, std::size_t size);
    [[noreturn]] void fail_damaged() const;

    std::string name_, plain_name_, member_, compression_ = "none", head_;
    std::size_t head_used_ = 0;
    std::uintmax_t size_ = 0;
    bool members_counted_ = false;
    std::unique_ptr<archive, Close> archive_;
};

}  // namespace lockstep::readers
