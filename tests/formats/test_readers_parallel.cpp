// Tests of text that several threads read in blocks: any number of threads and any block size give the same
// graph or the same error.
#include <omp.h>

#include <functional>

#include "../../formats/src/readers/tokenizer.hpp"
#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
using lockstep::readers::text_block_bytes;
namespace fs = std::filesystem;

namespace {

/// Number of threads and block size of one reading. The destructor restores the previous settings.
class Setting {
public:
    Setting(int threads, std::size_t block_bytes) {
        omp_set_num_threads(threads);
        text_block_bytes = block_bytes;
    }
    ~Setting() {
        omp_set_num_threads(threads_);
        text_block_bytes = block_bytes_;
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

private:
    int threads_ = omp_get_max_threads();
    std::size_t block_bytes_ = text_block_bytes;
};

/// Result of reading a file: a dataset or an error message.
struct Outcome {
    Dataset data;
    std::string error;
};

Outcome outcome_of(const fs::path& path, const ReadOptions& options) {
    try {
        return {read_dataset(path, options), ""};
    } catch (const FormatError& e) {
        return {{}, e.what()};
    }
}

void check_same(const Outcome& a, const Outcome& b) {
    REQUIRE(a.error == b.error);
    REQUIRE(a.data.row_ids == b.data.row_ids);
    REQUIRE(a.data.col_ids == b.data.col_ids);
    REQUIRE(a.data.source.lines == b.data.source.lines);
    REQUIRE(a.data.source.repeats == b.data.source.repeats);
    REQUIRE(a.data.graph.shape == b.data.graph.shape);
    REQUIRE(a.data.graph.directed == b.data.graph.directed);
    REQUIRE(a.data.graph.row_offsets == b.data.graph.row_offsets);
    REQUIRE(a.data.graph.col == b.data.graph.col);
    REQUIRE(a.data.graph.value == b.data.graph.value);
    REQUIRE(given_order(a.data.graph) == given_order(b.data.graph));
}

/// Compares one thread and one block with several threads and several block sizes. `smallest` is the minimum
/// block size, which limits the work for long texts.
void check_all_settings(const fs::path& path, const ReadOptions& options = {}, std::size_t smallest = 1) {
    INFO(path);
    const Outcome expected = [&] {
        const Setting setting(1, std::size_t{1} << 22);
        return outcome_of(path, options);
    }();
    for (const std::size_t block_bytes : {1, 2, 7, 64, 1000, 1 << 18}) {
        if (block_bytes < smallest) continue;
        for (const int threads : {1, 2, 3, 8}) {
            INFO(threads << " threads, blocks of " << block_bytes);
            const Setting setting(threads, block_bytes);
            check_same(outcome_of(path, options), expected);
        }
    }
}

std::string numbered_lines(int count, const std::function<std::string(int)>& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(i) + "\n";
    return text;
}

}  // namespace

TEST_CASE("all valid and invalid files read alike with any threads and blocks") {
    for (const char* folder : {"valid", "invalid"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / folder)) {
            if (entry.path().extension() == ".expected") continue;
            check_all_settings(entry.path());
        }
    }
}

TEST_CASE("ids of every kind number alike with any threads and blocks") {
    const TemporaryFolder folder;
    const auto check = [&](const std::string& text, const ReadOptions& options = {}) {
        write_file(folder / "a.txt", text);
        check_all_settings(folder / "a.txt", options);
    };
    const auto text_of = [](const std::function<std::string(std::uint64_t)>& id) {
        return numbered_lines(120, [&](int i) {
            const auto n = static_cast<std::uint64_t>(i);
            return id(n * 37 % 101) + " " + id(n * 11 % 53) + " " + std::to_string(i % 7) + ".5";
        });
    };
    const auto contiguous = [](std::uint64_t n) { return std::to_string(n); };
    const auto negative = [](std::uint64_t n) { return std::to_string(50 - static_cast<int>(n)); };
    const auto gaps = [](std::uint64_t n) { return std::to_string(5 * n + 3); };
    const auto wide = [](std::uint64_t n) { return std::to_string(n * 90'000'000'000'000'007); };
    const auto strings = [](std::uint64_t n) { return "name-with-a-common-start-" + std::to_string(n); };
    const std::vector<std::function<std::string(std::uint64_t)>> kinds{contiguous, negative, gaps, wide,
                                                                       strings};
    for (const auto& first : kinds) {
        check(text_of(first));
        check(text_of(first), {.shape = GraphShape::square, .undirected = true});
        // The kind of the ids changes in the middle of the file.
        for (const auto& second : kinds) {
            check(text_of(first) + text_of(second));
            check(text_of(first) + text_of(second), {.shape = GraphShape::square});
        }
    }
    // Integers in distant blocks of a side that a single string turns into strings.
    check(text_of(contiguous) + text_of(wide) + "007 1 2\n" + text_of(gaps));
    check("u 5 1\n" + text_of(wide) + text_of(contiguous));
    // Extreme 64-bit integers, whose distance exceeds the range of a signed integer.
    check("-9223372036854775808 1\n9223372036854775807 2\n0 3\n");
}

TEST_CASE("lines of every kind read alike with any threads and blocks") {
    const TemporaryFolder folder;
    const auto check = [&](const std::string& text, const char* name, const ReadOptions& options = {}) {
        write_file(folder / name, text);
        check_all_settings(folder / name, options);
    };
    check("\xEF\xBB\xBF# Directed graph\r\n\r\n1 2 3\r\n% x\r\n 2\t3   4 \r\n\r\n3 4 5.25", "a.txt");
    check("user,item,when,rating\n1,\"2\",2005-09-06 12:00,+3\n\"x\",2,,4e0\n1,3,x,5\n", "a.csv",
          {.value_column = "rating"});
    check("1::2::3.5::978300760\n4::5::1::978300761\r\n1::5::2::9783 0076\n", "a.dat");
    check("a b\n1 2\n", "a.txt");  // the first line looks like a header
    check("a b\n1 c\n1 2\n", "a.txt");
    check("user item\n", "a.txt");  // a header without edges
    check("#\n\n%\n", "a.txt");
    check("1 2\n3 4\n5 6\n", "a.csv", {.nonnegative = true});
    check(numbered_lines(50, [](int i) { return std::string(i % 7, ' ') + "1 " + std::to_string(i); }) + "1",
          "a.txt");
    check("1 2\n" + std::string("3 4\n5 \0 6\n7\n", 11), "a.txt", {.format = "edge-list"});

    // Lines at the maximum length, one that the fast scanner accepts and one that it does not.
    for (const char* last : {"2", "x"}) {
        for (const std::size_t length : {1 << 20, (1 << 20) + 1}) {
            write_file(folder / "long.txt", "5 6\n7 8\n1" + std::string(length - 2, ' ') + last + "\n7 8\n");
            check_all_settings(folder / "long.txt", {}, 1000);
            const bool refused =
                outcome_of(folder / "long.txt", {}).error.find(":3: the line is longer") != std::string::npos;
            CHECK(refused == (length > 1 << 20));
        }
    }
}

TEST_CASE("quoted fields over line ends read alike with any threads and blocks") {
    const TemporaryFolder folder;
    const auto check = [&](const std::string& text, std::size_t smallest = 1) {
        write_file(folder / "a.csv", text);
        check_all_settings(folder / "a.csv", {}, smallest);
        return outcome_of(folder / "a.csv", {});
    };
    for (const char* format : {"csv", "tsv", "movielens-csv"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / "odd" / format)) {
            if (entry.path().extension() != ".expected" &&
                read_file(entry.path()).find('"') != std::string::npos)
                check_all_settings(entry.path());
        }
    }
    const std::string header = "\"user\",text,\"item\",rating\r\n";
    const auto review = [](int i) {
        const std::string n = std::to_string(i);
        return i % 3 == 0   ? n + ",\"a \"\"b\"\",\r\n# c\n\n,d\",\"i,\"\"" + n + "\",4\r"
               : i % 3 == 1 ? n + ",5\" disk," + n + ",5"
                            : "# \"a comment\n" + n + ",\"\",\"x\",3.5";
    };
    const Outcome good = check(header + numbered_lines(900, review), 7);
    CHECK(good.error == "");
    CHECK(good.data.graph.edges() == 900);
    CHECK(good.data.col_ids.find("i,\"300").has_value());
    // the header, 300 records of four lines, 300 of one line, and 300 of a comment and one line
    CHECK(good.data.source.lines == 1 + 300 * 4 + 300 + 600);

    const std::string bad = check(header + numbered_lines(30, review) + "7,x,\"y\",z\n", 7).error;
    CHECK_THAT(bad, Catch::Contains("a.csv:72: weight \"z\" is not a number"));
    const std::string open =
        check(header + numbered_lines(30, review) + "7,\"x\ny\",\"z,5\n1,2,3,4\n", 7).error;
    CHECK_THAT(open, Catch::Contains("a.csv:73: the quote that opens \"\"z,5"));
    // If a file is too long to be one record, only the maximum length is kept in memory.
    const std::string endless =
        check(header + "1,\"x,2,3\n" + numbered_lines(200000, [](int) { return "1,y,2,3"; }), 1000).error;
    CHECK_THAT(endless, Catch::Contains("a.csv:2: the line is longer than 1048576 bytes"));
    CHECK_THAT(endless, Catch::Contains("every quote closed"));
}

TEST_CASE("of many bad lines the first one is reported") {
    const TemporaryFolder folder;
    for (const int bad : {3, 700, 4999}) {
        write_file(folder / "a.txt", numbered_lines(5000, [&](int i) {
                       return i + 1 == bad || (i + 1 > bad && i % 3 == 0) ? "1" : "1 2";
                   }));
        for (const std::size_t block_bytes : {1, 10, 4000}) {
            const Setting setting(8, block_bytes);
            const std::string error = outcome_of(folder / "a.txt", {}).error;
            CHECK_THAT(error,
                       Catch::Contains("a.txt:" + std::to_string(bad) + ": found 1 column, expected 2"));
        }
    }
}

TEST_CASE("compressed text is parsed in blocks, too") {
    const TemporaryFolder folder;
    const std::string text =
        numbered_lines(3000, [](int i) { return std::to_string(i * 7919 % 1009) + " " + std::to_string(i); });
    write_archive(folder / "a.xz", "raw", "xz", {{"a.txt", text}});
    write_archive(folder / "a.zip", "zip", "", {{"a.txt", text + "1\n"}});
    check_all_settings(folder / "a.xz", {}, 7);
    check_all_settings(folder / "a.zip", {}, 7);
}

TEST_CASE("the memory limit is kept by several threads") {
    const TemporaryFolder folder;
    write_file(folder / "ids.txt", numbered_lines(50000, [](int i) {
                   return "some-longer-name-" + std::to_string(i) + " x" + std::to_string(i);
               }));
    for (const std::size_t block_bytes : {100, 1 << 18}) {
        const Setting setting(8, block_bytes);
        CHECK_THAT(outcome_of(folder / "ids.txt", {.memory_limit = 5'000'000}).error,
                   Catch::Contains("--memory"));
        CHECK(outcome_of(folder / "ids.txt", {.memory_limit = 50'000'000}).error == "");
    }
}

TEST_CASE("a METIS line may be longer than the memory that reading may take") {
    const TemporaryFolder folder;
    const std::string blanks(20'000'000, ' ');
    write_file(folder / "a.graph", "% " + blanks + "x\n3 2\n2" + blanks + "3\n1\n" + blanks + "1 \n");
    CHECK(read_dataset(folder / "a.graph", {.memory_limit = 10'000'000}).graph.edges() == 4);
    const std::string text = "% a comment of words\n4 3 1\n2 1.5\t3 2.5  4 3\r\n1 1.5\n\t1 2.5\n 1 3";
    const Graph plain = read_text(text, "a.graph").graph;
    write_file(folder / "b.graph", text);
    write_file(folder / "bad.graph", "3 2\n2   3\n1\n2 x\n");
    for (std::size_t bytes = 1; bytes < 40; ++bytes) {
        const Setting setting(1, bytes);
        check_same_graph(read_dataset(folder / "b.graph").graph, plain);
        CHECK_THAT(outcome_of(folder / "bad.graph", {}).error,
                   Catch::Contains("bad.graph:4: neighbour \"x\""));
    }
}
