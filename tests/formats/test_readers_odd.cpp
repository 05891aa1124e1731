// Tests of odd inputs as users have them, with one folder of tests/data/odd per format. Each is read as its
// .expected file specifies, or refused with the line and message in that file.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "../../formats/src/readers/unicode.hpp"
#include "lockstep/formats/text.hpp"
#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// The first line of an .expected file has "read" or "refused" and options; the other lines contain the
/// expected result.
struct Expectation {
    bool refused = false;
    ReadOptions options;
    std::vector<std::string> lines;
};

Expectation expectation_of(const fs::path& path) {
    std::ifstream file(path.string() + ".expected");
    Expectation e;
    std::string line, word;
    REQUIRE(std::getline(file, line));
    std::istringstream words(line);
    words >> word;
    REQUIRE((word == "read" || word == "refused"));
    e.refused = word == "refused";
    while (words >> word) {
        const std::string name = word.substr(0, word.find('=')), value = word.substr(name.size() + 1);
        if (name == "format")
            e.options.format = value;
        else if (name == "delimiter")
            e.options.delimiter = value == "tab" ? "\t" : value;
        else if (name == "rows")
            e.options.row_column = value;
        else if (name == "cols")
            e.options.col_column = value;
        else if (name == "value")
            e.options.value_column = value;
        else if (name == "header")
            e.options.header = value == "yes";
        else
            FAIL("unknown option " << word);
    }
    while (std::getline(file, line)) e.lines.push_back(line);
    REQUIRE_FALSE(e.lines.empty());
    return e;
}

/// Returns the size of the graph, followed by its sorted edges with their original ids.
std::vector<std::string> described(const Dataset& data) {
    const Graph& graph = data.graph;
    std::vector<std::string> lines;
    for (VertexId row = 0; row < graph.rows; ++row) {
        for (const EdgeId e : graph.edges_of(row)) {
            lines.push_back(data.row_ids.name(row) + "\t" + data.col_ids.name(graph.col[e]) +
                            (graph.value.empty() ? "" : fmt::format("\t{}", graph.value[e])));
        }
    }
    std::sort(lines.begin(), lines.end());
    lines.insert(lines.begin(), fmt::format("{} {} {}", graph.rows, graph.cols, graph.edges()));
    return lines;
}

std::map<std::string, std::vector<fs::path>> odd_files() {
    std::map<std::string, std::vector<fs::path>> files;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / "odd")) {
        if (entry.is_regular_file() && entry.path().extension() != ".expected")
            files[entry.path().parent_path().filename().string()].push_back(entry.path());
    }
    return files;
}

void check_read(const fs::path& path, Expectation& e, const std::string& folder) {
    const Dataset data = read_dataset(path, e.options);
    validate(data.graph);
    std::sort(e.lines.begin() + 1, e.lines.end());
    CHECK(described(data) == e.lines);
    if (graph_formats().contains(folder)) CHECK(data.source.format == folder);
}

/// Checks that a message is safe to show on a terminal and valid in JSON.
void check_showable(std::string_view message) {
    while (!message.empty()) {
        const readers::Utf8 c = readers::utf8_at(message);
        REQUIRE(c.bytes > 0);
        CHECK((c.code == '\n' || readers::is_visible(c.code)));
        message.remove_prefix(c.bytes);
    }
}

void check_refused(const fs::path& path, const Expectation& e) {
    REQUIRE(e.lines.size() == 2);
    try {
        read_dataset(path, e.options);
        FAIL_CHECK("read without an error");
    } catch (const FormatError& error) {
        const std::string line = e.lines[0] == "0" ? "" : ":" + e.lines[0];
        CHECK_THAT(error.what(), Catch::StartsWith(path.string() + line + ": "));
        CHECK_THAT(error.what(), Catch::Contains(e.lines[1]));
        check_showable(error.what());
        CHECK(error.line() == std::stoull(e.lines[0]));
    }
}

}  // namespace

TEST_CASE("odd inputs are read right or refused with line and remedy") {
    for (const auto& [folder, files] : odd_files()) {
        for (const fs::path& path : files) {
            INFO(folder << "/" << path.filename().string());
            Expectation e = expectation_of(path);
            try {
                e.refused ? check_refused(path, e) : check_read(path, e, folder);
            } catch (const Error& error) {
                FAIL_CHECK(error.what());
            }
        }
    }
}

TEST_CASE("there are odd inputs of every format") {
    const auto files = odd_files();
    std::size_t total = 0;
    for (const auto& [folder, paths] : files) {
        INFO(folder);
        CHECK(paths.size() >= 12);
        total += paths.size();
    }
    for (const auto& [format, description] : graph_formats()) {
        // Matrices in containers are generated by the tests (matrices.py) and not stored as files.
        if (format != "anndata" && format != "10x" && format != "scipy-npz") CHECK(files.contains(format));
    }
    for (const char* other : {"csv", "tsv", "packed"}) CHECK(files.contains(other));
    CHECK(total >= 500);
}

TEST_CASE("characters of UTF-8 are those that encode back to their bytes") {
    const auto encoded = [](char32_t c) {
        std::string bytes;
        if (c < 0x80) return std::string(1, static_cast<char>(c));
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        bytes += static_cast<char>((0xFF00U >> (more + 1)) | (c >> (6 * more)));
        for (int i = more; i-- > 0;) bytes += static_cast<char>(0x80 | ((c >> (6 * i)) & 0x3F));
        return bytes;
    };
    for (char32_t c = 0; c < 0x120000; ++c) {
        const std::string bytes = encoded(c);
        const readers::Utf8 read = readers::utf8_at(bytes);
        const bool is_character = c < 0x110000 && (c < 0xD800 || c >= 0xE000);
        if (read.bytes != (is_character ? bytes.size() : 0) || (is_character && read.code != c)) {
            INFO(std::uint32_t{c});
            REQUIRE(false);
        }
    }
    for (std::uint32_t i = 0x8000; i < 0x10000; ++i) {
        for (const char third : {'\x7F', '\x80', '\xBF', '\xC0'}) {
            const std::string bytes{static_cast<char>(i >> 8), static_cast<char>(i), third, '\x80'};
            const readers::Utf8 read = readers::utf8_at(bytes);
            if (read.bytes > 0) REQUIRE(encoded(read.code) == bytes.substr(0, read.bytes));
        }
    }
    CHECK(readers::shown("a\xE9\x1B[31m\u200B\u00E9") == "\"a\\xe9\\x1b[31m\\xe2\\x80\\x8b\u00E9\"");
    // shown() must truncate this text between two characters.
    std::string long_name = "x";
    for (int i = 0; i < 40; ++i) long_name += "\u00E9";
    check_showable(readers::shown(long_name));
}
