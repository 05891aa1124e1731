// Tests of compressed and archived input, of binary formats, and of files that are refused because of their
// content.
#include <cstring>

#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

const std::string three_edges = "1 1 5\n1 3 3.5\n2 2 4\n";

template <class... T>
std::string bytes_of(T... values) {
    std::string bytes;
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return bytes;
}

}  // namespace

TEST_CASE("compressed files read as the plain file") {
    const TemporaryFolder folder;
    const Graph plain = read_text(three_edges).graph;
    for (const std::string filter : {"gzip", "bzip2", "xz", "lz4", "zstd"}) {
        INFO(filter);
        const auto path = folder / ("input." + filter);
        write_archive(path, "raw", filter, {{"input.txt", three_edges}});
        const Dataset data = read_dataset(path);
        check_same_graph(data.graph, plain);
        CHECK(data.source.compression == filter);
    }
}

TEST_CASE("an archive of one file reads as that file, by its name in the archive") {
    const TemporaryFolder folder;
    const std::string mtx = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n";
    write_archive(folder / "a.zip", "zip", "", {{"data/", ""}, {"data/a.mtx", mtx}});
    CHECK(read_dataset(folder / "a.zip").source.compression == "zip: data/a.mtx");
    CHECK(read_dataset(folder / "a.zip").source.format == "matrix-market");
    write_archive(folder / "a.tar.xz", "ustar", "xz", {{"data/", ""}, {"data/a.graph", "2 1\n2\n1\n"}});
    CHECK(read_dataset(folder / "a.tar.xz").source.compression == "xz tar: data/a.graph");
    CHECK(read_dataset(folder / "a.tar.xz").source.format == "metis");
    write_archive(folder / "a.tar", "ustar", "", {{"a.txt", three_edges}});
    CHECK(read_dataset(folder / "a.tar").source.compression == "tar: a.txt");
}

TEST_CASE("of an archive of several files the only graph is read, or the one that is named") {
    const TemporaryFolder folder;
    const auto message = [&](const char* name, ReadOptions options = {}) {
        try {
            read_dataset(folder / name, options);
        } catch (const FormatError& e) {
            return std::string(e.what());
        }
        return std::string("no error");
    };
    const std::string prefix = "ml-latest-small/";
    for (const auto& [name, format, filter] : std::vector<std::tuple<const char*, const char*, const char*>>{
             {"ml.zip", "zip", ""}, {"ml.tar.gz", "ustar", "gzip"}}) {
        write_archive(folder / name, format, filter,
                      {{prefix, ""},
                       {prefix + "links.csv", "movieId,imdbId,tmdbId\n1,0114709,862\n"},
                       {prefix + "tags.csv", "userId,movieId,tag,timestamp\n2,60756,funny,1445714994\n"},
                       {prefix + "ratings.csv",
                        "userId,movieId,rating,timestamp\n1,1,4.0,964982703\n1,3,4.5,964981247\n"},
                       {prefix + "README.txt", "Summary\n=======\n\nThis dataset describes ratings\n"},
                       {prefix + "movies.csv", "movieId,title,genres\n1,Toy Story (1995),Adventure\n"}});
        const Dataset data = read_dataset(folder / name);
        CHECK(data.graph.edges() == 2);
        CHECK(data.source.format == "movielens-csv");
        CHECK_THAT(data.source.compression, Catch::EndsWith(": ml-latest-small/ratings.csv"));
        CHECK(data.source.archive_files == 5);
        for (const char* member :
             {"ratings.csv", "ml-latest-small/ratings.csv", "./ml-latest-small/ratings.csv"})
            CHECK(read_dataset(folder / name, {.member = member}).graph.edges() == 2);
        CHECK_THAT(message(name, {.member = "./ratings.csv"}), Catch::Contains("contains no file"));
        CHECK_THAT(message(name, {.member = "rating"}),
                   Catch::Contains("contains no file \"rating\"") && Catch::Contains("ratings.csv"));
        CHECK_THAT(message(name, {.member = "tags.csv"}), !Catch::Contains("no error"));
    }
    write_archive(folder / "two.zip", "zip", "",
                  {{"README", "A long text\n"}, {"a.txt", three_edges}, {"b.txt", "5 5\n"}});
    CHECK_THAT(message("two.zip"), Catch::Contains("several files") && Catch::Contains("--member NAME") &&
                                       Catch::Contains("a.txt") && Catch::Contains("b.txt"));
    CHECK(read_dataset(folder / "two.zip", {.member = "a.txt"}).graph.edges() == 3);
    CHECK(read_dataset(folder / "two.zip", {.member = "b.txt"}).graph.edges() == 1);
    write_archive(folder / "same.tar", "ustar", "",
                  {{"x/a.txt", three_edges}, {"y/a.txt", "5 5\n"}, {"a.txt", "1 1\n2 2\n"}});
    CHECK_THAT(message("same.tar", {.member = "a.txt"}), Catch::Contains("give the path with its folder"));
    CHECK(read_dataset(folder / "same.tar", {.member = "y/a.txt"}).graph.edges() == 1);
    CHECK(read_dataset(folder / "same.tar", {.member = "./a.txt"}).graph.edges() == 2);
    write_archive(folder / "words.zip", "zip", "", {{"a.txt", "one two\n"}, {"b.txt", "three four\n"}});
    CHECK_THAT(message("words.zip"), Catch::Contains("none of the archive's 2 files is recognised"));
    write_archive(folder / "one.zip", "zip", "", {{"words.txt", "one two\nthree four\n"}});
    CHECK(read_dataset(folder / "one.zip").graph.edges() == 2);
    write_file(folder / "plain.txt", three_edges);
    CHECK_THAT(message("plain.txt", {.member = "a.txt"}), Catch::Contains("this is not an archive"));

    std::vector<std::pair<std::string, std::string>> many;
    for (int i = 0; i < 40; ++i) many.emplace_back("part" + std::to_string(i), three_edges);
    write_archive(folder / "many.zip", "zip", "", many);
    CHECK_THAT(message("many.zip"), Catch::Contains("part9\n  … and 30 more") && !Catch::Contains("part10"));
    write_archive(folder / "odd.zip", "zip", "", {{"a\x1b[31m", "one\n"}, {"b", "two\n"}});
    CHECK_THAT(message("odd.zip"), Catch::Contains("a\\x1b[31m"));
    write_archive(folder / "none.zip", "zip", "", {{"data/", ""}});
    CHECK_THAT(message("none.zip"), Catch::Contains("contains no file"));
    write_archive(folder / "empty.zip", "zip", "", {{"a.txt", ""}});
    CHECK_THAT(message("empty.zip"), Catch::Contains("the file is empty"));
    write_archive(folder / "empty.gz", "raw", "gzip", {{"a.txt", ""}});
    CHECK_THAT(message("empty.gz"), Catch::Contains("the file is empty"));
    write_archive(folder / "twice.zip", "zip", "", {{"a.gz", read_file(folder / "empty.gz")}});
    CHECK_THAT(message("twice.zip"), Catch::Contains("compressed twice"));
    CHECK_THAT(message("absent.txt"), Catch::Contains("cannot be opened: No such file"));
    CHECK_THAT(message(""), Catch::Contains("this is a folder"));
}

TEST_CASE("a truncated compressed file is never read as a shorter graph") {
    const TemporaryFolder folder;
    std::string long_text;
    for (int i = 0; i < 3000; ++i)
        long_text += std::to_string(i * 7919 % 1009) + " " + std::to_string(i) + "\n";
    const EdgeId edges = read_text(long_text).graph.edges();
    for (const auto& [format, filter] : std::vector<std::pair<const char*, std::string>>{{"raw", "gzip"},
                                                                                         {"raw", "bzip2"},
                                                                                         {"raw", "xz"},
                                                                                         {"raw", "lz4"},
                                                                                         {"raw", "zstd"},
                                                                                         {"zip", ""},
                                                                                         {"ustar", "gzip"}}) {
        write_archive(folder / "whole", format, filter, {{"a.txt", long_text}});
        const std::string whole = read_file(folder / "whole");
        for (std::size_t cut = 1; cut < whole.size(); cut += 1 + whole.size() / 60) {
            write_file(folder / "cut", whole.substr(0, whole.size() - cut));
            INFO(format << " " << filter << ", " << cut << " of " << whole.size() << " bytes missing");
            try {
                // The missing part may be only the trailer of the archive.
                const EdgeId read = read_dataset(folder / "cut").graph.edges();
                CHECK(read == edges);
            } catch (const FormatError& e) {
                CHECK_THAT(e.what(), Catch::Contains("cut"));
            }
        }
    }
}

TEST_CASE("an archive member of absurd size is refused") {
    const TemporaryFolder folder;
    write_archive(folder / "a.tar", "ustar", "", {{"a.txt", three_edges}});
    std::string tar = read_file(folder / "a.tar");
    // Size field of the header: 12 bytes at offset 124, in base 256 if the top bit is set. The checksum of
    // the header is at offset 148.
    std::memcpy(tar.data() + 124, "\x80\0\0\0\0\x7f\xff\xff\xff\xff\xff\xff", 12);
    std::memset(tar.data() + 148, ' ', 8);
    unsigned sum = 0;
    for (int i = 0; i < 512; ++i) sum += static_cast<unsigned char>(tar[i]);
    std::snprintf(tar.data() + 148, 8, "%06o", sum);
    CHECK_THAT(format_error(tar, "a.tar").second, Catch::Contains("declares"));
}

TEST_CASE("binary formats of others are named, not guessed") {
    const auto message = [](const std::string& content, const char* name, ReadOptions options = {}) {
        return format_error(content, name, options).second;
    };
    const std::string hdf5 = std::string("\x89HDF\r\n\x1a\n", 8) + std::string(100, '\0');
    CHECK_THAT(message(hdf5, "a.h5"), Catch::Contains("HDF5") && Catch::Contains("damaged"));
    CHECK_THAT(message(hdf5, "a.txt", {.format = "edge-list"}), Catch::Contains("HDF5"));
    CHECK_THAT(message(bytes_of(1, 2, 3, 4), "a.dat"),
               Catch::Contains("binary data") && Catch::Contains("--format cumf-binary"));
    CHECK_THAT(message("PAR1abc", "a.parquet"), Catch::Contains("Parquet"));
    CHECK_THAT(message(std::string("\xFE\xFF\0001\0 \0002", 8), "a.txt"), Catch::Contains("UTF-16"));
    CHECK_THAT(message("<!DOCTYPE html>\n", "ratings.csv"), Catch::Contains("web page"));
}

TEST_CASE("cuMF triples") {
    const std::string good = bytes_of(0, 0, 2.5F, 7, 1, 3.0F);
    ReadOptions options;
    options.format = "cumf-binary";
    CHECK(read_text(good, "a.bin").source.format == "cumf-binary");
    CHECK(read_text(good, "a.dat", options).graph.value == Array<float>{2.5F, 3});
    CHECK(read_text(good, "a.bin").row_ids == IdMap(IntegerIds{{0, 7}}));
    const auto message = [&](const std::string& content) {
        return format_error(content, "a.bin", options).second;
    };
    CHECK_THAT(message(good + "abc"), Catch::Contains("record 3: the file ends after 3 of its 12 bytes"));
    CHECK_THAT(message(good + bytes_of(-1, 0, 1.0F)),
               Catch::Contains("record 3: the ids (-1, 0) are negative"));
    CHECK_THAT(message(good + bytes_of(1, 0, 0.0F / 0.0F)), Catch::Contains("record 3: the rating"));
    options.nonnegative = true;
    CHECK_THAT(message(good + bytes_of(1, 0, -1.0F)), Catch::Contains("is negative"));
    std::string many;
    for (int i = 0; i < 200000; ++i) many += bytes_of(i, i % 10, 1.0F);
    const Dataset data = read_text(many, "a.bin");
    CHECK(data.row_ids == IdMap(RangeIds{0, 200000}));
    CHECK(data.source.lines == 200000);
    CHECK_THAT(message(many.substr(0, many.size() - 1)), Catch::Contains("record 200000"));
}

TEST_CASE("files as users meet them") {
    const auto read = [](const char* name, ReadOptions options = {}) {
        return read_dataset(shared_data(name), options);
    };
    if (shared_data("native/movietweetings.dat").empty()) return;
    {
        const Dataset data = read("native/goodbooks-ratings.csv.zip");
        CHECK(data.source.compression == "zip: ratings.csv");
        CHECK(data.row_ids == IdMap(RangeIds{1, 53424}));
        CHECK(data.col_ids == IdMap(RangeIds{1, 10000}));
        CHECK(data.graph.edges() == 981756);
        CHECK(data.source.repeats == 2278);
        CHECK(max_degree(data.graph).row == 200);
        CHECK(max_degree(data.graph).col == 100);
    }
    {
        const Dataset data = read("native/movietweetings.dat");
        CHECK(data.source.format == "movielens-dat");
        CHECK(data.row_ids == IdMap(RangeIds{1, 21081}));
        CHECK(data.col_ids.find("0054890"));
        CHECK_FALSE(data.col_ids.find("54890"));
        CHECK(data.graph.cols == 12611);
        CHECK(data.graph.edges() == 141695);
        CHECK(data.source.repeats == 0);
        CHECK(max_degree(data.graph).row == 442);
        CHECK(max_degree(data.graph).col == 2090);
    }
    {
        const Dataset data = read("native/USA-road-NY.gr.xz");
        CHECK(data.source.format == "dimacs");
        CHECK(data.graph.shape == GraphShape::square);
        CHECK_FALSE(data.graph.directed);
        CHECK(data.graph.rows == 264346);
        CHECK(data.graph.edges() == 2 * 365050);
        CHECK(data.graph.value.empty());
        CHECK(max_degree(data.graph).row == 8);
    }
    try {
        read("native/luxembourg_osm.mtx.gz");
        FAIL_CHECK("an .mtx without its header was read");
    } catch (const FormatError& e) {
        CHECK(e.line() == 1);
        CHECK_THAT(e.what(), Catch::Contains("header line is missing") &&
                                 Catch::Contains("%%MatrixMarket matrix coordinate") &&
                                 Catch::Contains("--format edge-list"));
    }
    CHECK(read("native/luxembourg_osm.mtx.gz", {.format = "edge-list", .shape = GraphShape::square})
              .graph.rows == 114599);

    // An edge list has no isolated vertices, so the ids of debian12-deps and wordnet have gaps.
    struct Count {
        const char* name;
        bool square;
        VertexId rows, cols;
        EdgeId edges;
    };
    for (const auto& [name, is_square, rows, cols, edges] :
         std::vector<Count>{{"insteval.txt.xz", false, 2972, 1128, 73421},
                            {"goodbooks-982k.txt.xz", false, 53424, 10000, 981756},
                            {"gene2pubmed-human-2022.txt.xz", false, 754859, 46898, 1793637},
                            {"road-NY-weighted.txt.xz", true, 264346, 264346, 365050},
                            {"road-BAY.txt.xz", true, 321270, 321270, 397415},
                            {"road-NW.txt.xz", true, 1207945, 1207945, 1410387},
                            {"road-NE.txt.xz", true, 1524453, 1524453, 1934010},
                            {"osm-amsterdam.txt.xz", true, 68213, 68213, 76718},
                            {"osm-delhi.txt.xz", true, 231161, 231161, 279192},
                            {"luxembourg_osm.txt.xz", true, 114599, 114599, 119666},
                            {"cnr-2000.txt.xz", true, 325557, 325557, 3216152},
                            {"debian12-deps.txt.xz", true, 60336, 60336, 299188},
                            {"wordnet-3.0.txt.xz", true, 116650, 116650, 361647}}) {
        INFO(name);
        const Dataset data = read(name, {.shape = is_square ? GraphShape::square : GraphShape::bipartite});
        CHECK(data.graph.rows == rows);
        CHECK(data.graph.cols == cols);
        CHECK(data.graph.edges() == edges);
    }
}
