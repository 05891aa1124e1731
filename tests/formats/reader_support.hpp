// Helper functions for the tests of the readers.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/error.hpp"
#include "support.hpp"

namespace lockstep::test {

/// Reads `text` as a file of the given name.
inline Dataset read_text(const std::string& text, const std::string& name = "input.txt",
                         const ReadOptions& options = {}) {
    const TemporaryFolder folder;
    write_file(folder / name, text);
    return read_dataset(folder / name, options);
}

/// Returns line and message of the FormatError that reading `text` throws. The test fails if there is no
/// error.
inline std::pair<std::uint64_t, std::string> format_error(const std::string& text,
                                                          const std::string& name = "input.txt",
                                                          const ReadOptions& options = {}) {
    try {
        read_text(text, name, options);
    } catch (const FormatError& e) {
        CHECK(e.failure() == Failure::bad_input);
        return {e.line(), e.what()};
    }
    FAIL("read without an error: " << name);
    return {};
}

/// Checks that two graphs have the same matrix and properties. The input order may differ.
inline void check_same_graph(const Graph& a, const Graph& b) {
    validate(a);
    CHECK(a.rows == b.rows);
    CHECK(a.cols == b.cols);
    CHECK(a.shape == b.shape);
    CHECK(a.directed == b.directed);
    CHECK(a.row_offsets == b.row_offsets);
    CHECK(a.col == b.col);
    CHECK(a.value == b.value);
}

/// Writes an archive or compressed file with libarchive ("zip", "ustar", "raw"; filter "" for none).
inline void write_archive(const std::filesystem::path& path, const char* format, const std::string& filter,
                          const std::vector<std::pair<std::string, std::string>>& members) {
    archive* a = archive_write_new();
    if (!filter.empty()) REQUIRE(archive_write_add_filter_by_name(a, filter.c_str()) == ARCHIVE_OK);
    REQUIRE(archive_write_set_format_by_name(a, format) == ARCHIVE_OK);
    // No padding after the data, so that every byte of the file counts.
    archive_write_set_bytes_in_last_block(a, 1);
    REQUIRE(archive_write_open_filename(a, path.c_str()) == ARCHIVE_OK);
    for (const auto& [name, content] : members) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
        REQUIRE(archive_write_header(a, entry) == ARCHIVE_OK);
        REQUIRE(archive_write_data(a, content.data(), content.size()) ==
                static_cast<la_ssize_t>(content.size()));
        archive_entry_free(entry);
    }
    REQUIRE(archive_write_close(a) == ARCHIVE_OK);
    archive_write_free(a);
}

}  // namespace lockstep::test
