#include "input.hpp"

#include <archive.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "unicode.hpp"
#include "words.hpp"

namespace lockstep::readers {
namespace {

constexpr std::size_t max_block_bytes = std::size_t{1} << 20, head_bytes = std::size_t{1} << 16;
/// Returns the number of bytes that libarchive reads at a time: whole pages, at most about the size of the
/// file.
std::size_t block_bytes(const InputFile& file) {
    constexpr std::uint64_t page = 4096;
    return file.seekable() ? std::min<std::uint64_t>(max_block_bytes, (file.size() / page + 1) * page)
                           : max_block_bytes;
}

bool is_zip(archive* a) { return (archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP; }
bool is_tar(archive* a) { return (archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR; }

/// Returns libarchive's names of the compressions of the data, the outermost one last. The last filter that
/// libarchive reports stands for uncompressed data and is left out.
std::string filters_of(archive* a) {
    std::string words;
    for (int i = 0; i + 1 < archive_filter_count(a); ++i)
        words += (i ? " " : "") + std::string(archive_filter_name(a, i));
    return words;
}

}  // namespace

/// The functions through which libarchive reads the input. An exception must not pass through libarchive, so
/// it is stored in `failure_` and rethrown after libarchive has returned.
struct Input::Callbacks {
    template <class Action>
    static auto guarded(archive* a, void* self, Action action) -> decltype(action(std::declval<Input&>())) {
        auto& input = *static_cast<Input*>(self);
        try {
            return action(input);
        } catch (...) {
            input.failure_ = std::current_exception();
            archive_set_error(a, EIO, "the input cannot be read");
            return ARCHIVE_FATAL;
        }
    }
    static la_ssize_t read(archive* a, void* self, const void** bytes) {
        return guarded(a, self, [&](Input& input) {
            const std::size_t got = input.read_raw(input.block_.data(), input.block_.size());
            if (!input.file_.seekable() || input.gunzip_) input.keep_tail({input.block_.data(), got});
            *bytes = input.block_.data();
            return static_cast<la_ssize_t>(got);
        });
    }
    static la_int64_t seek(archive* a, void* self, la_int64_t offset, int whence) {
        return guarded(a, self, [&](Input& input) {
            InputFile& file = input.file_;
            const auto from = static_cast<la_int64_t>(whence == SEEK_SET   ? 0
                                                      : whence == SEEK_CUR ? file.position()
                                                                           : file.size());
            file.seek(static_cast<std::uint64_t>(std::max<la_int64_t>(0, from + offset)));
            return static_cast<la_int64_t>(file.position());
        });
    }
};

void Input::Close::operator()(archive* a) const { archive_read_free(a); }

Input::Input(InputFile& file, std::string member, FormatDetector recognise)
    : file_(file), wanted_(std::move(member)), recognise_(recognise), block_(block_bytes(file)) {
    const std::string_view head = file_.head();
    if (head.empty()) throw FormatError(name(), "the file is empty; expected a graph or ratings");
    // libarchive would take zeros for the end of a tar archive, and ignore them.
    if (head.find_first_not_of('\0') == head.npos)
        throw FormatError(name(),
                          fmt::format("begins with {} zeros; expected a graph or ratings", head.size()));
    open();
    if (!next_member()) {
        if (archive_format(archive_.get()) != ARCHIVE_FORMAT_EMPTY)
            throw FormatError(name(), "the archive contains no file; expected a graph or ratings file");
        // If the beginning of compressed data is damaged, libarchive reports that they are empty.
        const std::string filters = filters_of(archive_.get());
        throw FormatError(
            name(),
            filters.empty()
                ? "the file is empty; expected a graph or ratings"
                : fmt::format("the {} data are damaged or empty; get or make the file again", filters));
    }
    archived_ = is_zip(archive_.get()) || is_tar(archive_.get());
    std::string filters = filters_of(archive_.get());
    if (filters.find(' ') != std::string::npos)
        throw FormatError(name(), fmt::format("this is compressed twice ({}); unpack it once", filters));
    if (gunzip_) filters = "gzip";
    if (archived_) {
        choose_member();
        compression_ = fmt::format("{}{}{}: {}", filters, filters.empty() ? "" : " ",
                                   is_zip(archive_.get()) ? "zip" : "tar", printable(member_));
    } else {
        if (!wanted_.empty())
            throw FormatError(name(),
                              "this is not an archive; --member applies only to zip and tar archives");
        if (!filters.empty()) compression_ = filters;
        take_name(name());
        if (gunzip_ || filters.empty()) {  // libarchive is not needed, since the data are no archive
            archive_.reset();
            std::vector<char>().swap(block_);
            file_.seek(0);
            if (gunzip_) gunzip_ = std::make_unique<Gunzip>(file_);
        }
        read_head();
    }
    file_.settle();
    if (head_.empty()) throw FormatError(name(), "the file is empty; expected a graph or ratings");
}

/// Opens the archive at its start.
void Input::open() {
    file_.seek(0);
    members_ = entries_ = 0;
    raw_bytes_ = 0;
    listed_.clear();
    tail_.clear();
    if (Gunzip::is_gzip(file_.head())) gunzip_ = std::make_unique<Gunzip>(file_);
    archive_.reset(archive_read_new());
    archive* a = archive_.get();
    if (!a) throw std::bad_alloc();
    // Only the compressions that the manual lists are enabled. Other filters of libarchive run external
    // programs or have unreliable signatures.
    if (!gunzip_) {
        archive_read_support_filter_bzip2(a);
        archive_read_support_filter_xz(a);
        archive_read_support_filter_lz4(a);
        archive_read_support_filter_zstd(a);
        // If the input is seekable, libarchive reads a zip file by its directory, otherwise sequentially.
        if (file_.seekable()) archive_read_set_seek_callback(a, Callbacks::seek);
    }
    archive_read_support_format_zip(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    // Without this option, libarchive ignores data after the end of a tar archive.
    archive_read_set_option(a, "tar", "read_concatenated_archives", "1");
    archive_read_set_callback_data(a, this);
    archive_read_set_read_callback(a, Callbacks::read);
    if (archive_read_open1(a) != ARCHIVE_OK) fail_damaged();
}

void Input::read_head() {
    head_.resize(head_bytes);
    head_.resize(archive_ ? read_archive(head_.data(), head_bytes) : read_raw(head_.data(), head_bytes));
    head_used_ = 0;
}

void Input::fail_damaged() const {
    if (failure_) std::rethrow_exception(failure_);
    const char* why = archive_error_string(archive_.get());
    throw FormatError(name(), fmt::format("cannot be read to its end, it is damaged or cut short: {}",
                                          why ? why : "unknown error"));
}

std::size_t Input::read_raw(char* into, std::size_t size) {
    return gunzip_ ? gunzip_->read(into, size) : file_.read(into, size);
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
    // If the head is shorter than its maximum, it contains the whole input.
    if (early == size || head_.size() < head_bytes) return early;
    return early +
           (archive_ ? read_archive(into + early, size - early) : read_raw(into + early, size - early));
}

void Input::finish() {
    std::string rest(head_bytes, '\0');
    while (read(rest.data(), rest.size()) == rest.size()) {
    }
    if (!archive_) return;
    if (archived_ && needs_another_member()) {
        fail_listing(
            wanted_.empty()
                ? "several files of the archive are graphs or ratings; choose one with --member NAME"
                : fmt::format("several files of the archive are named {}; give the path with its folder",
                              shown(wanted_)));
    }
    if (archived_ && is_zip(archive_.get())) return require_zip_end();
    const bool compressed = archive_filter_count(archive_.get()) > 1;
    const auto used = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), -1));
    if (compressed && (used < file_.position() || file_.read(rest.data(), 1) > 0))
        throw FormatError(name(), fmt::format("is damaged: other bytes follow the {} data, from byte {} on",
                                              filters_of(archive_.get()), used));
}

}  // namespace lockstep::readers
