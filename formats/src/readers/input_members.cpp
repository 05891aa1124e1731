// Selection of the file in an archive that is read: the file with the given name, or the only file that
// contains a graph.
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "input.hpp"
#include "text.hpp"

namespace lockstep::readers {
namespace {

constexpr std::size_t listed_members = 10;
constexpr std::int64_t absurd_bytes = std::int64_t{1} << 46;

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

}  // namespace lockstep::readers
