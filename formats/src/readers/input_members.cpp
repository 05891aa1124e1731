// Selection of the file in an archive that is read: the file with the given name, or the only file that
// contains a graph. Also the check of the record at the end of a zip archive (APPNOTE.TXT of PKWARE, section
// 4.3.16).
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "input.hpp"
#include "unicode.hpp"
#include "words.hpp"

namespace lockstep::readers {
namespace {

constexpr std::size_t listed_members = 10;
constexpr std::int64_t absurd_bytes = std::int64_t{1} << 46;

// The record at the end of a zip archive: its size, the positions of its numbers, and the maximum size of the
// record and the archive comment after it.
constexpr std::size_t zip_end_bytes = 22, zip_entries_at = 10, zip_directory_bytes_at = 12,
                      zip_directory_at = 16, zip_comment_at = 20, zip_end_most_bytes = zip_end_bytes + 0xFFFF;

/// Returns the little-endian number of `bytes` bytes at position `at`.
std::uint64_t number_at(std::string_view text, std::size_t at, std::size_t bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = bytes; i-- > 0;) number = number << 8 | static_cast<unsigned char>(text[at + i]);
    return number;
}

/// Returns the position of the record at the end of `tail`, which contains the last bytes of a zip archive.
/// Returns npos if `tail` does not end with a record and a comment of the length that the record states.
std::size_t find_zip_end(std::string_view tail) {
    if (tail.size() < zip_end_bytes) return tail.npos;
    for (std::size_t at = tail.size() - zip_end_bytes;; --at) {
        at = tail.rfind("PK\5\6", at);
        if (at == tail.npos || at + zip_end_bytes + number_at(tail, at + zip_comment_at, 2) == tail.size())
            return at;
        if (at == 0) return tail.npos;
    }
}

/// Returns the path without "./" at its beginning.
std::string_view without_dot(std::string_view name) { return name.substr(name.starts_with("./") ? 2 : 0); }

}  // namespace

void Input::take_name(const std::string& path) {
    plain_name_ = lower_case(std::filesystem::path(path).filename().string());
    for (const char* suffix : {".gz", ".bz2", ".xz", ".lz4", ".zst", ".zip", ".tar", ".tgz"}) {
        if (!plain_name_.ends_with(suffix)) continue;
        plain_name_.resize(plain_name_.size() - std::strlen(suffix));
        return;
    }
}

/// Moves to the next regular file of the archive. Returns false at the end of the archive.
bool Input::next_member() {
    archive* a = archive_.get();
    for (;;) {
        const int got = archive_read_next_header(a, &entry_);
        if (failure_) std::rethrow_exception(failure_);
        if (got == ARCHIVE_EOF) return false;
        if (got < ARCHIVE_WARN) fail_damaged();
        ++entries_;
        if (archive_entry_filetype(entry_) == AE_IFREG && !archive_entry_hardlink(entry_)) break;
    }
    const char* name_given = archive_entry_pathname(entry_);
    member_ = name_given ? name_given : "(name not readable)";
    if (++members_ <= listed_members) listed_.push_back(member_);
    if (archive_entry_is_encrypted(entry_))
        throw FormatError(name(),
                          fmt::format("the archive's file {} is encrypted; unpack it first", shown(member_)));
    if (archive_entry_size_is_set(entry_)) {
        const auto size = archive_entry_size(entry_);
        if (size < 0 || size > absurd_bytes) {
            throw FormatError(
                name(), fmt::format("the archive is damaged: {} declares {} bytes", shown(member_), size));
        }
    }
    return true;
}

/// Returns whether the current file may be the one to read.
bool Input::wanted() const {
    if (wanted_.empty()) return recognise_ && recognise_(*this);
    const std::string_view member = without_dot(member_), name = without_dot(wanted_);
    return member == name || (wanted_ == name && member.ends_with("/" + wanted_));
}

/// Moves to the first file that may be the one to read, and reads its head. The files after it are checked by
/// finish(), after this file was read, so that the archive is decompressed only once.
void Input::choose_member() {
    do {
        take_name(member_);
        read_head();
        if (wanted()) return;
    } while (next_member());
    if (!wanted_.empty()) fail_listing(fmt::format("the archive contains no file {}", shown(wanted_)));
    if (members_ > 1)
        fail_listing(
            fmt::format("none of the archive's {} files is recognised as a graph or ratings; choose one with "
                        "--member NAME",
                        members_));
    open();
    next_member();
    read_head();
}

/// Returns whether a later file of the archive may also be the one that the user means. Reads all remaining
/// entries of the archive.
bool Input::needs_another_member() {
    if (without_dot(member_) == without_dot(wanted_)) {
        while (next_member()) {
        }
        return false;
    }
    bool another = false;
    while (next_member()) {
        take_name(member_);
        if (wanted_.empty() && recognise_) read_head();
        another |= wanted();
    }
    return another;
}

void Input::fail_listing(const std::string& why) const {
    std::string list;
    for (const auto& member : listed_) list += "\n  " + printable(member);
    if (members_ > listed_.size()) list += fmt::format("\n  … and {} more", members_ - listed_.size());
    throw FormatError(name(), why + ":" + list);
}

void Input::keep_tail(std::string_view bytes) {
    raw_bytes_ += bytes.size();
    tail_.append(bytes.substr(bytes.size() - std::min(bytes.size(), zip_end_most_bytes)));
    if (tail_.size() > zip_end_most_bytes) tail_.erase(0, tail_.size() - zip_end_most_bytes);
}

/// Reads the record at the end of a zip archive. Throws FormatError unless it agrees with the number of
/// entries that were read and with the size of the file.
void Input::require_zip_end() {
    const bool seekable = file_.seekable() && !gunzip_;
    if (seekable) file_.seek(file_.size() - std::min<std::uint64_t>(file_.size(), zip_end_most_bytes));
    while (const std::size_t got = read_raw(block_.data(), block_.size())) keep_tail({block_.data(), got});
    const std::string_view tail = tail_;
    const std::size_t at = find_zip_end(tail);
    if (at == tail.npos)
        throw FormatError(name(), "the zip archive is damaged or cut short, or other bytes follow it");
    const std::uint64_t entries = number_at(tail, at + zip_entries_at, 2),
                        directory_bytes = number_at(tail, at + zip_directory_bytes_at, 4),
                        directory = number_at(tail, at + zip_directory_at, 4);
    // These values stand for numbers that are stored elsewhere, as in zip64 archives. The record of those is
    // preceded by a locator.
    constexpr std::uint64_t elsewhere_16 = 0xFFFF, elsewhere_32 = 0xFFFF'FFFF;
    constexpr std::size_t locator_bytes = 20;
    const bool zip64 = at >= locator_bytes && tail.substr(at - locator_bytes).starts_with("PK\6\7");
    const std::uint64_t size = seekable ? file_.size() : raw_bytes_,
                        declared = directory + directory_bytes + (tail.size() - at);
    if (!zip64 && directory_bytes != elsewhere_32 && directory != elsewhere_32 && declared != size)
        throw FormatError(name(), fmt::format("the last zip archive in it has {} bytes, but the file has {}; "
                                              "unpack the archives, or give one archive",
                                              declared, size));
    if (entries != elsewhere_16 && entries != entries_)
        throw FormatError(name(),
                          fmt::format("the zip archive is damaged: it declares {} entries, but {} were found",
                                      entries, entries_));
}

}  // namespace lockstep::readers
