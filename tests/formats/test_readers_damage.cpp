// Tests of damaged compressed files and archives: every single bit, additional members, trailing bytes.
#include <omp.h>

#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string some_lines() {
    std::string text;
    for (int i = 0; i < 12; ++i)
        text += std::to_string(i * 37 % 11) + " " + std::to_string(i) + " " + std::to_string(i % 5) + "\n";
    return text;
}

std::string packed(const char* format, const char* filter, const std::string& text) {
    const TemporaryFolder folder;
    write_archive(folder / "a", format, filter, {{"a.txt", text}});
    return read_file(folder / "a");
}

std::string error_of(const std::string& bytes) {
    const TemporaryFolder folder;
    write_file(folder / "input", bytes);
    try {
        read_dataset(folder / "input");
    } catch (const FormatError& e) {
        return e.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a flipped bit of a compressed file is refused, or the graph is the same") {
    const TemporaryFolder folder;
    const std::string text = some_lines();
    const Graph whole = read_text(text).graph;
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);  // one thread, since there are thousands of small files
    // libarchive writes zstd without a checksum, but the zstd program writes one.
    const std::filesystem::path data = LOCKSTEP_TEST_DATA "/files";
    const std::vector<std::pair<const char*, std::string>> files{
        {"gzip", packed("raw", "gzip", text)},       {"bzip2", packed("raw", "bzip2", text)},
        {"xz", packed("raw", "xz", text)},           {"lz4", packed("raw", "lz4", text)},
        {"zstd", read_file(data / "edges.txt.zst")}, {"zip", packed("zip", "", text)},
        {"tar.gz", packed("ustar", "gzip", text)}};
    for (const auto& [name, good] : files) {
        write_file(folder / "good", good);
        check_same_graph(read_dataset(folder / "good").graph, whole);
        int accepted = 0;
        for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
            std::string bad = good;
            bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
            write_file(folder / "bad", bad);
            try {
                const Graph graph = read_dataset(folder / "bad").graph;
                INFO(name << ", bit " << bit % 8 << " of byte " << bit / 8 << " of " << good.size());
                CHECK((graph.row_offsets == whole.row_offsets && graph.col == whole.col &&
                       graph.value == whole.value));
                ++accepted;
            } catch (const FormatError&) {
            }
        }
        CHECK(accepted < static_cast<int>(4 * good.size()));
    }
    omp_set_num_threads(threads);
}

TEST_CASE("all members of a gzip file are read and checked, and nothing may follow them") {
    const std::string one = packed("raw", "gzip", "1 1 5\n"), two = packed("raw", "gzip", "2 2 4\n");
    const TemporaryFolder folder;
    write_file(folder / "both", one + two);
    CHECK(read_dataset(folder / "both").graph.edges() == 2);
    write_file(folder / "padded", one + two + std::string(512, '\0'));
    CHECK(read_dataset(folder / "padded").graph.edges() == 2);
    CHECK_THAT(error_of(one + "1 2 3\n"), Catch::Contains("other bytes follow"));
    CHECK_THAT(error_of(one + std::string(3, '\0') + two), Catch::Contains("other bytes follow"));
    CHECK_THAT(error_of(one + two.substr(0, two.size() - 3)), Catch::Contains("cut short"));
    std::string bad = two;
    bad[bad.size() - 6] ^= 1;  // bit in its checksum
    CHECK_THAT(error_of(one + bad), Catch::Contains("incorrect data check"));
    bad = two;
    bad[bad.size() - 2] ^= 1;  // bit in its length
    CHECK_THAT(error_of(one + bad), Catch::Contains("incorrect length check"));
}

TEST_CASE("zip archives one behind the other are refused, and zeros") {
    const std::string one = packed("zip", "", "1 1 5\n"), two = packed("zip", "", "2 2 4\n");
    CHECK_THAT(error_of(one + two),
               Catch::Contains("the last zip archive in it has " + std::to_string(two.size()) +
                               " bytes, but the file has " + std::to_string(one.size() + two.size())));
    CHECK_THAT(error_of(packed("raw", "gzip", one + two)), Catch::Contains("the last zip archive"));
    CHECK_THAT(error_of(std::string(100000, '\0')), Catch::Contains("begins with 65536 zeros"));
}

TEST_CASE("streams one after another are all read, other bytes behind them refused") {
    const TemporaryFolder folder;
    for (const char* filter : {"bzip2", "xz", "lz4", "zstd"}) {
        INFO(filter);
        const std::string one = packed("raw", filter, "1 1 5\n"), two = packed("raw", filter, "2 2 4\n");
        write_file(folder / "both", one + two);
        CHECK(read_dataset(folder / "both").graph.edges() == 2);
        CHECK_THAT(error_of(one + "1 2 3\n"), !Catch::Contains("no error"));
        CHECK_THAT(error_of(one + two.substr(0, two.size() - 1)), !Catch::Contains("no error"));
    }
}

TEST_CASE("bytes behind an archive are refused") {
    const std::string text = some_lines(), zip = packed("zip", "", text), tar = packed("ustar", "", text);
    CHECK_THAT(error_of(zip + "junk"), Catch::Contains("other bytes follow"));
    CHECK_THAT(error_of(zip.substr(0, zip.size() - 30)), Catch::Contains("cut short"));
    CHECK_THAT(error_of(tar + "junk that is longer than nothing"), !Catch::Contains("no error"));
    CHECK_THAT(error_of(tar + tar), Catch::Contains("several files"));
    CHECK_THAT(error_of(packed("ustar", "xz", text) + "junk"), !Catch::Contains("no error"));
}
