#include "pack.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "fuzz.hpp"

namespace lockstep::fuzz {

const char* suffix(Packing packing) {
    constexpr const char* suffixes[] = {"", ".gz", ".bz2", ".xz", ".zst", ".tar.gz", ".zip", ".zip"};
    return suffixes[static_cast<int>(packing)];
}

std::string pack(Packing packing, const std::vector<std::pair<std::string, std::string_view>>& files) {
    if (packing == Packing::none) return std::string(files.front().second);
    const std::unique_ptr<archive, int (*)(archive*)> out(archive_write_new(), archive_write_free);
    const bool zip = packing == Packing::zip || packing == Packing::stored_zip;
    const bool named = zip || packing == Packing::tar_gzip;
    if (zip)
        archive_write_set_format_zip(out.get());
    else if (named)
        archive_write_set_format_ustar(out.get());
    else
        archive_write_set_format_raw(out.get());
    if (packing == Packing::zip) archive_write_zip_set_compression_deflate(out.get());
    if (packing == Packing::stored_zip) archive_write_zip_set_compression_store(out.get());
    if (packing == Packing::gzip || packing == Packing::tar_gzip) archive_write_add_filter_gzip(out.get());
    if (packing == Packing::bzip2) archive_write_add_filter_bzip2(out.get());
    if (packing == Packing::xz) archive_write_add_filter_xz(out.get());
    if (packing == Packing::zstd) archive_write_add_filter_zstd(out.get());
    // At the default level, an encoder would allocate 100 MB for a hundred bytes.
    if (packing == Packing::gzip || packing == Packing::bzip2 || packing == Packing::xz ||
        packing == Packing::zstd || packing == Packing::tar_gzip)
        archive_write_set_filter_option(out.get(), nullptr, "compression-level",
                                        packing == Packing::xz ? "0" : "1");
    archive_write_set_bytes_in_last_block(out.get(), 1);

    std::size_t capacity = 1 << 16;
    for (const auto& [name, bytes] : files) capacity += 2 * bytes.size() + 4096;
    std::string packed(capacity, '\0');
    std::size_t used = 0;
    require(archive_write_open_memory(out.get(), packed.data(), packed.size(), &used) == ARCHIVE_OK,
            "an archive in memory can be opened");
    for (const auto& [name, bytes] : files) {
        const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                             archive_entry_free);
        archive_entry_set_pathname(entry.get(), name.c_str());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
        archive_write_header(out.get(), entry.get());
        archive_write_data(out.get(), bytes.data(), bytes.size());
        if (!named) break;
    }
    require(archive_write_close(out.get()) == ARCHIVE_OK, "an archive in memory can be closed");
    packed.resize(used);
    return packed;
}

}  // namespace lockstep::fuzz
