#include "input.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "text.hpp"

namespace lockstep::readers {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t head_bytes = std::size_t{1} << 16;
constexpr std::size_t listed_members = 10;
constexpr std::int64_t absurd_bytes = std::int64_t{1} << 46;
constexpr std::size_t npos = std::string::npos;

std::string member_name(archive_entry* entry) {
    const char* name = archive_entry_pathname(entry);
    return name ? name : "(name not readable)";
}

std::string compression_of(archive* a, const std::string& member) {
    std::string words;
    for (int i = 0; i + 1 < archive_filter_count(a); ++i)
        words += std::string(archive_filter_name(a, i)) + " ";
    switch (archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) {
        case ARCHIVE_FORMAT_ZIP:
            return words + "zip: " + member;
        case ARCHIVE_FORMAT_TAR:
            return words + "tar: " + member;
        default:
            break;
    }
    if (words.empty()) return "none";
    words.pop_back();
    return words;
}

std::string without_compression_suffix(const std::string& name) {
    std::string plain = lower_case(std::filesystem::path(name).filename().string());
    for (const char* suffix : {".gz", ".bz2", ".xz", ".lz4", ".zst", ".zip", ".tar", ".tgz"}) {
        if (plain.ends_with(suffix)) return plain.substr(0, plain.size() - std::strlen(suffix));
    }
    return plain;
}

}  // namespace

void Input::Close::operator()(archive* a) const { archive_read_free(a); }

Input::Input(const std::filesystem::path& path)
    : name_(path == "-" ? "standard input" : path.string()), archive_(archive_read_new()) {
    archive* a = archive_.get();
    if (!a) throw std::bad_alloc();
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
        throw FormatError(name_, "this is a folder; give a file in it");
    }
    // Only what the manual names: libarchive's other filters run programs or have weak signatures.
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_lz4(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_format_zip(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    const int opened = path == "-" ? archive_read_open_fd(a, STDIN_FILENO, block_bytes)
                                   : archive_read_open_filename(a, path.c_str(), block_bytes);
    if (opened != ARCHIVE_OK) {
        const int code = archive_errno(a);
        if (code <= 0 || code == EILSEQ) fail_damaged();
        throw FormatError(name_, fmt::format("cannot be opened: {}", std::strerror(code)));
    }
    archive_entry* entry = nullptr;
    do {
        const int got = archive_read_next_header(a, &entry);
        if (got == ARCHIVE_EOF) {
            const bool empty = archive_format(a) == ARCHIVE_FORMAT_EMPTY;
            throw FormatError(name_, empty ? "the file is empty; expected a graph or ratings"
                                           : "the archive holds no file; expected one graph or ratings file");
        }
        if (got < ARCHIVE_WARN) fail_damaged();
    } while (archive_entry_filetype(entry) != AE_IFREG);
    member_ = member_name(entry);
    compression_ = compression_of(a, member_);
    const bool archived = compression_.find(": ") != npos;
    plain_name_ = without_compression_suffix(archived ? member_ : name_);
    if (archive_entry_size_is_set(entry)) {
        const auto size = archive_entry_size(entry);
        if (size < 0 || size > absurd_bytes) {
            throw FormatError(
                name_, fmt::format("the archive is damaged: \"{}\" claims to hold {} bytes", member_, size));
        }
    }
    if (std::error_code unknown; compression_ == "none") {
        size_ = std::filesystem::file_size(path, unknown);
        if (unknown) size_ = 0;
    }
    head_.resize(head_bytes);
    head_.resize(read_archive(head_.data(), head_bytes));
    if (head_.empty()) throw FormatError(name_, "the file is empty; expected a graph or ratings");
}

void Input::fail_damaged() const {
    const char* why = archive_error_string(archive_.get());
    throw FormatError(name_, fmt::format("cannot be read to its end, it is damaged or cut short: {}",
                                         why ? why : "unknown error"));
}

std::size_t Input::read_archive(char* into, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const auto got = archive_read_data(archive_.get(), into + done, size - done);
        if (got == ARCHIVE_RETRY) continue;
        if (got < 0) fail_damaged();
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::size_t Input::read(char* into, std::size_t size) {
    const std::size_t early = std::min(size, head_.size() - head_used_);
    std::memcpy(into, head_.data() + head_used_, early);
    head_used_ += early;
    // A head that is not full was all there is.
    if (early == size || head_.size() < head_bytes) return early;
    return early + read_archive(into + early, size - early);
}

void Input::require_single_file() {
    if (members_counted_) return;
    members_counted_ = true;
    std::vector<std::string> members{member_};
    std::size_t count = 1;
    archive_entry* entry = nullptr;
    // A header that cannot be read ends the list: what was wrong with the data is the better message.
    for (int got;
         (got = archive_read_next_header(archive_.get(), &entry)) != ARCHIVE_EOF && got >= ARCHIVE_WARN;) {
        if (archive_entry_filetype(entry) != AE_IFREG) continue;
        if (++count <= listed_members) members.push_back(member_name(entry));
    }
    if (count == 1) return;
    std::string list;
    for (const auto& member : members) list += "\n  " + member;
    if (count > members.size()) list += fmt::format("\n  … and {} more", count - members.size());
    throw FormatError(
        name_, fmt::format("the archive holds {} files, expected exactly one; take out the one to read:{}",
                           count, list));
}

}  // namespace lockstep::readers
