// Tests of text formats: ids, shapes, repeats, columns, weights, lines, memory.
#include <limits>

#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

ReadOptions square() { return {.shape = GraphShape::square}; }

}  // namespace

TEST_CASE("ids: bases, gaps, extremes and strings") {
    SECTION("0-based") { CHECK(read_text("0 0\n1 2\n2 1\n").row_ids == IdMap(RangeIds{0, 3})); }
    SECTION("negative and contiguous") {
        CHECK(read_text("-1 5\n0 5\n1 5\n").row_ids == IdMap(RangeIds{-1, 3}));
    }
    SECTION("sparse, through the bitmap") {
        const Dataset data = read_text("10 1\n3 1\n70 1\n3 2\n");
        CHECK(data.row_ids == IdMap(IntegerIds{{3, 10, 70}}));
        CHECK(data.graph.row_offsets == std::vector<EdgeId>{0, 2, 3, 4});
    }
    SECTION("extremes of 64 bits, through the search") {
        const auto low = std::numeric_limits<std::int64_t>::min(),
                   high = std::numeric_limits<std::int64_t>::max();
        const Dataset data = read_text(std::to_string(high) + " 1\n" + std::to_string(low) + " 1\n0 1\n");
        CHECK(data.row_ids == IdMap(IntegerIds{{low, 0, high}}));
        CHECK(data.graph.input_order == Array<EdgeId>{2, 0, 1});
    }
    SECTION("beyond 64 bits: strings") {
        CHECK(read_text("9223372036854775808 1\n5 1\n").row_ids.name(1) == "9223372036854775808");
    }
    SECTION("leading zeros and signs are kept: one such id turns the side into strings, not the other side") {
        const Dataset data = read_text("7 1\n07 2\n+7 3\n10 4\n");
        CHECK(data.row_ids == IdMap(StringIds{"+707107", {0, 2, 4, 6, 7}}));
        CHECK(data.col_ids == IdMap(RangeIds{1, 4}));
        CHECK(data.row_ids.find("7") == VertexId{3});
    }
    SECTION("strings sort by bytes") {
        const Dataset data = read_text("user\titem\trating\nBob Z\tü\t1\nalice\ta\t2\nBob\ta\t3\n", "a.tsv");
        CHECK(data.row_ids == IdMap(StringIds{"BobBob Zalice", {0, 3, 8, 13}}));
        CHECK(data.col_ids == IdMap(StringIds{"aü", {0, 1, 3}}));
    }
    SECTION("a square graph has one set of ids") {
        const Dataset data = read_text("1 9\n9 4\n", "a.txt", square());
        CHECK(data.row_ids == IdMap(IntegerIds{{1, 4, 9}}));
        CHECK(data.row_ids == data.col_ids);
        CHECK(data.graph.rows == 3);
        const Dataset strings = read_text("1 9\n9 x\n", "a.txt", square());
        CHECK(strings.row_ids == IdMap(StringIds{"19x", {0, 1, 2, 3}}));
        CHECK(strings.graph.col == Array<VertexId>{1, 2});
    }
    SECTION("many strings, over several blocks of storage") {
        std::string text, long_id(4096, 'z');
        for (int i = 0; i < 20000; ++i)
            text += "u" + std::to_string(i) + " v" + std::to_string(i % 77) + "\n";
        const Dataset data = read_text(text + long_id + " v0\n");
        CHECK(data.row_ids.size() == 20001);
        CHECK(data.row_ids.name(20000) == long_id);
        CHECK(data.row_ids.find("u19999").has_value());
        CHECK(data.col_ids.size() == 77);
    }
}

TEST_CASE("shape and direction") {
    CHECK(read_text("1 2\n2 1\n").graph.shape == GraphShape::bipartite);
    const Dataset snap = read_text("# Directed graph (each unordered pair once)\n1 2\n2 2\n");
    CHECK(snap.graph.shape == GraphShape::square);
    CHECK(snap.graph.directed);
    CHECK(snap.source.self_loops == 1);
    CHECK(read_text("# Nodes: 2 Edges: 1\n1 2\n").graph.shape == GraphShape::square);

    ReadOptions options = square();
    options.undirected = true;
    const Dataset both = read_text("1 2 5\n2 2 6\n", "a.txt", options);
    CHECK_FALSE(both.graph.directed);
    CHECK(both.graph.col == Array<VertexId>{1, 0, 1});
    CHECK(both.graph.value == Array<float>{5, 5, 6});
    CHECK(both.source.self_loops == 1);

    options.shape = std::nullopt;
    try {
        read_text("1 2\n", "a.txt", options);
        FAIL("an undirected bipartite graph was accepted");
    } catch (const Error& e) {
        CHECK(e.failure() == Failure::usage);
        CHECK_THAT(e.what(), Catch::Contains("--shape square"));
    }
    const std::string mtx = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1\n";
    CHECK(read_text(mtx, "a.mtx").graph.shape == GraphShape::bipartite);
    CHECK_THAT(format_error(mtx, "a.mtx", square()).second, Catch::Contains("2 x 3 is not a square graph"));
    const Dataset symmetric =
        read_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 6\n", "a.mtx",
                  {.shape = GraphShape::bipartite});
    CHECK(symmetric.graph.shape == GraphShape::bipartite);
    CHECK(symmetric.graph.value == Array<float>{5, 6, 6});
}

TEST_CASE("repeated pairs") {
    const std::string text = "10 7 1\n20 7 5\n10 7 2\n10 7 6\n";
    const auto values = [&](RepeatPolicy policy) {
        const Dataset data = read_text(text, "a.txt", {.repeats = policy});
        CHECK(data.source.repeats == 2);
        return data.graph.value;
    };
    CHECK(values(RepeatPolicy::keep) == Array<float>{1, 2, 6, 5});
    CHECK(values(RepeatPolicy::first) == Array<float>{1, 5});
    CHECK(values(RepeatPolicy::last) == Array<float>{6, 5});
    CHECK(values(RepeatPolicy::sum) == Array<float>{9, 5});
    CHECK(values(RepeatPolicy::mean) == Array<float>{3, 5});
    const auto [line, message] = format_error(text, "a.txt", {.repeats = RepeatPolicy::refuse});
    CHECK_THAT(message, Catch::Contains("the pair (10, 7) occurs more than once, 2 repetitions"));
    CHECK(read_text("1 1\n1 2\n", "a.txt", {.repeats = RepeatPolicy::refuse}).source.repeat_policy ==
          "refuse");
    CHECK_THAT(format_error("1 1 3e38\n1 1 3e38\n", "a.txt", {.repeats = RepeatPolicy::sum}).second,
               Catch::Contains("not finite"));
}

TEST_CASE("columns, delimiters and headers are chosen") {
    const std::string csv = "when;who;what;how much;mood\n1;10;200;5;3\n2;11;201;4;9\n";
    ReadOptions options;
    options.row_column = "who";
    options.col_column = "what";
    options.value_column = "how much";
    const Dataset named = read_text(csv, "a.csv", options);
    CHECK(named.row_ids == IdMap(RangeIds{10, 2}));
    CHECK(named.col_ids == IdMap(RangeIds{200, 2}));
    CHECK(named.graph.value == Array<float>{5, 4});

    options = {.row_column = "2", .col_column = "3", .value_column = "4", .delimiter = ";", .header = true};
    check_same_graph(read_text(csv, "a.csv", options).graph, named.graph);
    options.value_column = "none";
    CHECK(read_text(csv, "a.csv", options).graph.value.empty());
    options.row_column = "9";
    CHECK_THAT(format_error(csv, "a.csv", options).second, Catch::Contains("the file has 5 columns"));
    options.row_column = "whom";
    CHECK_THAT(format_error(csv, "a.csv", options).second, Catch::Contains("\"who\""));
    options.row_column = "3";
    CHECK_THAT(format_error(csv, "a.csv", options).second, Catch::Contains("would both be column 3"));

    CHECK(read_text("a b 1\n", "a.txt", {.value_column = "none"}).graph.value.empty());
    CHECK(read_text("1|2|3\n", "a.txt", {.delimiter = "|"}).graph.value == Array<float>{3});
    CHECK(read_text("user,item\nx,y\n", "a.csv", {.header = false}).graph.edges() == 2);
    CHECK(read_text("user_id,item_id,timestamp\n1,2,99\n").graph.value.empty());
    CHECK(read_text("movieId,userId\n7,1\n7,2\n").graph.rows == 2);
    CHECK(read_text("1 2\t5\n").graph.value == Array<float>{5});
    CHECK(format_error("a,b\n1,2\n", "a.csv", {.header = std::nullopt}).first == 1);
    CHECK(read_text("a,b\n1,2\n", "a.csv", {.header = true}).graph.edges() == 1);
    CHECK(read_text("ann,b\nbob,2\n", "a.csv").graph.edges() == 2);

    try {
        read_text("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", "a.mtx",
                  {.delimiter = ","});
        FAIL("a delimiter of a Matrix Market file was accepted");
    } catch (const Error& e) {
        CHECK(e.failure() == Failure::usage);
    }
}

TEST_CASE("a day ends at 24:00, and no time is behind it") {
    ReadOptions options;
    options.value_column = "3", options.time_column = "4";
    const auto read = [&](const char* time) {
        return read_text(std::string("1,2,3,2015-03-01T") + time + "\n", "a.csv", options).times;
    };
    CHECK(read("24:00:00") == read_text("1,2,3,2015-03-02\n", "a.csv", options).times);
    CHECK(read("23:59:60").front() == read("24:00").front());
    for (const char* time : {"24:59:59", "24:00:01", "25:00", "12:60"}) {
        const auto [line, message] =
            format_error(std::string("1,2,3,2015-03-01T") + time + "\n", "a.csv", options);
        CHECK_THAT(message, Catch::Contains("is neither a whole number nor a date"));
    }
}

TEST_CASE("a header above string ids is asked about, an edge above other edges of its ids is not") {
    const std::string body = "ann,bob\nbob,cid\ncid,ann\nann,cid\n";
    for (const char* header :
         {"follower,followee\n", "\"follower\",\"followee\"\n", "follower,followee\nfollower,followee\n"}) {
        INFO(header);
        for (const GraphShape shape : {GraphShape::bipartite, GraphShape::square}) {
            const auto [line, message] = format_error(header + body, "a.csv", {.shape = shape});
            CHECK(line == 1);
            CHECK_THAT(message, Catch::Contains("--header yes") && Catch::Contains("--header no"));
        }
    }
    CHECK(read_text("follower,followee\n" + body, "a.csv", {.header = true}).graph.edges() == 4);
    CHECK(read_text("follower,followee\n" + body, "a.csv", {.header = false}).graph.edges() == 5);
    CHECK(read_text("follower,followee\n" + body, "a.csv", {.ids_are_matched = true}).graph.edges() == 5);
    CHECK(format_error("name,team_nr\nann,3\nbob,3\n", "a.csv", {}).first == 1);
    // These first lines are edges: one of their words occurs again on either side, no ids are shared at all,
    // the line contains a number, or it is the only line.
    for (const char* edges : {"ann,bob\ncid,bob\n", "ann,bob\nann,cid\n", "ann,bob\ncid,ann\n",
                              "ann,bob\nbob,cid\n", "ann,bob,1\ncid,dan,2\n", "ann,bob\n",
                              "ann,bob\nann,bob\n", "ann,bob\ncid,dan\n", "ann,7\nbob,8\n"}) {
        INFO(edges);
        const std::string text = edges;
        CHECK(read_text(text, "a.csv", {}).graph.edges() ==
              static_cast<EdgeId>(std::count(text.begin(), text.end(), '\n')));
    }
}

TEST_CASE("known header names need no flag, in any order and case") {
    const std::vector<std::string> rows{"userId",  "user_id",    "USER",   "uid",
                                        "User ID", "reviewerID", "source", "u"},
        cols{"movieId", "movie_id",   "ITEM",  "item_id", "itemId",
             "book_id", "product_id", "track", "asin",    "v"},
        values{"rating", "Score", "stars", "weight", "value", "COUNT", "overall"},
        times{"timestamp", "time", "date", "unixReviewTime", "review_date"};
    std::size_t turn = 0;
    for (const auto& row : rows) {
        for (const auto& col : cols) {
            const auto &value = values[++turn % values.size()], &time = times[turn % times.size()];
            INFO(row << " " << col << " " << value << " " << time);
            const Dataset data = read_text(
                "," + time + "," + value + "," + col + ",mood," + row + "\n0,99,4,20,x,10\n", "a.csv");
            CHECK(data.row_ids == IdMap(RangeIds{10, 1}));
            CHECK(data.col_ids == IdMap(RangeIds{20, 1}));
            CHECK(data.graph.value == Array<float>{4});
            CHECK(data.source.note == "rows are the column \"" + row + "\", columns \"" + col +
                                          "\", weights \"" + value + "\"; not read: \"mood\"");
        }
    }
    CHECK(read_text("user item\n1 2\n").source.note ==
          "rows are the column \"user\", columns \"item\", weights none");
    CHECK(read_text("1 2\n").source.note.empty());
    // A column with an unknown name may be the weight.
    CHECK_THAT(format_error("user,item,mood,pulse\n1,2,3,4\n", "a.csv").second,
               Catch::Contains("--value-column"));
    CHECK_THAT(format_error("1,2,3,4\n5,6,7,8\n", "a.csv").second,
               Catch::Contains("if they are user, item, rating and time, give --value-column 3"));
    CHECK(read_text("1,2,3,4\n5,6,7,8\n", "a.csv", {.value_column = "3"}).graph.value == Array<float>{3, 7});
}

TEST_CASE("weights") {
    CHECK(read_text("1 1 +2.5\n1 2 1e-3\n1 3 -4\n1 4 .5\n1 5 1e-60\n").graph.value ==
          Array<float>{2.5F, 1e-3F, -4, .5F, 0});
    const auto [line, message] = format_error("1 1 2\n1 2 -1\n", "a.txt", {.nonnegative = true});
    CHECK(line == 2);
    CHECK_THAT(message, Catch::Contains("\"-1\" is negative"));
    CHECK(read_text("1 1 -0\n", "a.txt", {.nonnegative = true}).graph.edges() == 1);
    for (const char* bad :
         {"1e39", "-1e39", "1e400", "inf", "-INF", "nan", "+-1", "++1", "1.2.3", "0x1p3", "1e", "5,", "½"}) {
        CAPTURE(bad);
        CHECK(format_error(std::string("1 1 ") + bad + "\n").first == 1);
    }
}

TEST_CASE("lines") {
    CHECK(read_text("1 2\r\n3 4").graph.edges() == 2);
    CHECK(read_text("\n\n1 2\n \t\n# x\n3 4\n\n").source.lines == 7);
    std::string wide = "1 " + std::string((1 << 20) + 10, '7') + "\n";
    CHECK(format_error("1 2\n" + wide).first == 2);
    CHECK(format_error(std::string("1 2\n3 4\n5 6") + '\0' + "\n", "a.txt", {.format = "edge-list"}).first ==
          3);
    // Lines that cross the end of every internal block.
    std::string text;
    for (int i = 0; i < 400000; ++i)
        text += std::to_string(1000000 + i) + " " + std::to_string(i % 1000) + "\n";
    const Dataset data = read_text(text);
    CHECK(data.row_ids == IdMap(RangeIds{1000000, 400000}));
    CHECK(data.source.lines == 400000);
    CHECK(data.graph.col[399999] == 999);
    CHECK(format_error(text + "1\n").first == 400001);
    // The line of a hub in a METIS file may be longer than lines of other formats.
    std::string hub = "300001 300000\n", leaves;
    for (int i = 2; i <= 300001; ++i) hub += std::to_string(i) + " ", leaves += "1\n";
    CHECK(max_degree(read_text(hub + "\n" + leaves, "a.graph").graph).row == 300000);
}

TEST_CASE("the memory limit is kept before memory is taken") {
    ReadOptions options;
    options.memory_limit = 1'000'000;
    CHECK_THAT(format_error("%%MatrixMarket matrix coordinate pattern general\n10 10 1000000000000\n1 1\n",
                            "a.mtx", options)
                   .second,
               Catch::Contains("40000.00 GB"));
    CHECK_THAT(format_error("%%MatrixMarket matrix coordinate pattern general\n4000000000 10 1\n1 1\n",
                            "a.mtx", options)
                   .second,
               Catch::Contains("the limit is 0.00 GB"));
    CHECK_THAT(format_error("p sp 4000000000 1\na 1 1 1\n", "a.gr", options).second,
               Catch::Contains("--memory"));
    CHECK_THAT(format_error("4000000000 1\n", "a.graph", options).second, Catch::Contains("--memory"));
    std::string text;
    for (int i = 0; i < 100000; ++i) text += std::to_string(i) + " 1\n";
    CHECK_THAT(format_error(text, "a.txt", options).second, Catch::Contains("--memory"));
    std::string strings;
    for (int i = 0; i < 4000; ++i)
        strings += "some-longer-name-" + std::to_string(i) + " x" + std::to_string(i) + "\n";
    CHECK_THAT(format_error(strings, "a.txt", options).second, Catch::Contains("--memory"));
    options.memory_limit = 100'000'000;
    CHECK(read_text(text, "a.txt", options).graph.edges() == 100000);
}
