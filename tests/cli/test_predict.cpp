// lockstep-predict compared with values computed by hand.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli_support.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/schedule_file.hpp"

using namespace lockstep;
using test::run_program;
using Arguments = std::vector<std::string>;

namespace {

StringIds strings(const std::vector<std::string>& ids) {
    StringIds result;
    for (const std::string& id : ids) {
        result.bytes += id;
        result.offsets.push_back(result.bytes.size());
    }
    return result;
}

/// Returns a model with 3 users, 4 items and rank 2: u0 = (1, 1), u1 = (-1, 2), u2 = 0, and
///  i0 = (1, 0)  i1 = (1.5, 0.5)  i2 = (-0.5, 1.5)  i3 = (0.5, -0.5). Scores:
///  u0     1         2                1                 0
///  u1    -1        -0.5              3.5              -1.5
///  u2     0         0                0                 0
Model small_model(IdMap row_ids, IdMap col_ids) {
    Model model;
    model.rows = 3, model.cols = 4, model.rank = 2;
    model.row_factors = {1, 1, -1, 2, 0, 0};
    model.col_factors = {1, 0, 1.5, 0.5, -0.5, 1.5, 0.5, -0.5};
    model.row_ids = std::move(row_ids);
    model.col_ids = std::move(col_ids);
    return model;
}

struct Fixture {
    test::TemporaryFolder folder;
    std::string model = (folder / "m.h5").string();

    explicit Fixture(IdMap rows = RangeIds{1, 3}, IdMap cols = RangeIds{0, 4}) {
        write_model(model, small_model(std::move(rows), std::move(cols)));
    }
    std::string file(const std::string& name, const std::string& content) const {
        test::write_file(folder / name, content);
        return (folder / name).string();
    }
    test::ProgramResult run(const auto&... arguments) const {
        return run_program("lockstep-predict", model, arguments...);
    }
    std::string out(const auto&... arguments) const {
        return test::done("lockstep-predict", model, arguments...).out;
    }
    void refused(int code, const std::string& words, const auto&... arguments) const {
        test::refused(code, words, "lockstep-predict", model, arguments...);
    }
};

}  // namespace

TEST_CASE("pairs are predicted in the order of the file, by original ids", "[predict]") {
    const Fixture fixture;
    const std::string expected = "1 0 1\n2 2 3.5\n2 3 -1.5\n3 1 0\n1 1 2\n1 1 2\n";
    const std::string pairs = "1 0\n2 2\n2\t3\r\n3   1\n1 1\n1 1";
    CHECK(fixture.out("--pairs", fixture.file("p.txt", pairs)) == expected);
    CHECK(fixture.out("--pairs -", test::Input{pairs}) == expected);
    CHECK(fixture.out("--pairs - -o", fixture.folder / "out", test::Input{pairs}).empty());
    CHECK(test::read_file(fixture.folder / "out") == expected);
}

TEST_CASE("ids are names: sparse integers, leading zeros, blanks", "[predict]") {
    const Fixture integers(IntegerIds{{-7, 12, 4000000000}}, IntegerIds{{1, 5, 90, 91}});
    CHECK(integers.out("--pairs -", test::Input{"12 90\n-7 1\n4000000000 5\n"}) ==
          "12 90 3.5\n-7 1 1\n4000000000 5 0\n");
    CHECK(integers.run("--pairs -", test::Input{"012 90\n"}).code == 4);  // the model's ID is 12

    const Fixture zeros(strings({"007", "07", "7"}), strings({"a", "b", "c", "d"}));
    CHECK(zeros.out("--pairs -", test::Input{"07 c\n007 c\n7 c\n"}) == "07 c 3.5\n007 c 1\n7 c 0\n");
    CHECK(zeros.out("--top 1") == "007 b 2 1\n07 c 3.5 1\n7 a 0 1\n");

    const Fixture blanks(strings({"Ada L", "Bob", "Cy"}), strings({"a", "b", "c", "d"}));
    CHECK(blanks.out("--pairs -", test::Input{"Ada L\tb\n"}) == "\"Ada L\"\tb\t2\n");
    CHECK(blanks.out("--top 1 --users", std::string("Ada L")) == "\"Ada L\"\tb\t2\t1\n");
}

TEST_CASE("an unknown id is an error with its line, or nan on request", "[predict]") {
    const Fixture fixture;
    const auto path = fixture.file("p.txt", "1 0\n1 4\n");
    const auto target = (fixture.folder / "out").string();
    fixture.refused(4, path + ": pair 2 (1, 4): unknown column \"4\"", "--pairs", path, "-o", target);
    fixture.refused(4, "0 … 3", "--pairs", path, "-o", target);  // the IDs of the model
    CHECK_FALSE(std::filesystem::exists(target));
    CHECK(std::distance(std::filesystem::directory_iterator(fixture.folder.path()), {}) ==
          2);  // model and pairs
    fixture.refused(4, "standard input: pair 1 (0, 0): unknown row \"0\"", "--pairs -", test::Input{"0 0\n"});
    CHECK(fixture.out("--pairs", path, "--unknown nan") == "1 0 1\n1 4 nan\n");
    const auto answer = nlohmann::json::parse(fixture.out("--pairs", path, "--unknown nan --json"));
    CHECK(answer["predictions"][0] == nlohmann::json({{"row", "1"}, {"col", "0"}, {"prediction", 1.0}}));
    CHECK(answer["predictions"][1]["prediction"].is_null());
}

TEST_CASE("a biased model adds the mean and the biases, for an unknown id, what is left of them",
          "[predict]") {
    const Fixture fixture;
    Model model = small_model(RangeIds{1, 3}, RangeIds{0, 4});
    model.biases = {2, {0.5F, -1, 0}, {0, 0.25F, -3, 1}};
    write_model(fixture.model, model);
    CHECK(fixture.out("--pairs -", test::Input{"1 0\n2 2\n3 1\n"}) == "1 0 3.5\n2 2 1.5\n3 1 2.25\n");
    // Scores of user 1: 3.5, 4.75, 0.5, 3.5; equal scores are in item order.
    CHECK(fixture.out("--top 3 --users 1") == "1 1 4.75 1\n1 0 3.5 2\n1 3 3.5 3\n");
    const std::string pairs = "1 9\n7 1\n7 9\n2 2\n";
    CHECK(fixture.out("--pairs - --unknown bias", test::Input{pairs}) ==
          "1 9 2.5\n7 1 2.25\n7 9 2\n2 2 1.5\n");
    CHECK(fixture.run("--pairs -", test::Input{pairs}).code == 4);
    const std::string similar = fixture.out("--top 3 --similar 0");
    model.biases = {};
    write_model(fixture.model, model);
    CHECK(fixture.out("--top 3 --similar 0") == similar);  // similarity uses only the factors
    fixture.refused(2, "needs a biased model", "--pairs - --unknown bias", test::Input{pairs});
}

TEST_CASE("malformed pairs are refused with file and line", "[predict]") {
    const Fixture fixture;
    const auto [text, line] = GENERATE(std::pair("1 0\n1\n", 2), std::pair("1 \n", 1), std::pair("1\t\n", 1));
    CAPTURE(text);
    const auto path = fixture.file("p.txt", text);
    fixture.refused(4, path + ":" + std::to_string(line) + ":", "--pairs", path);
}

TEST_CASE("pairs are those of any ratings file", "[predict]") {
    const Fixture fixture;
    const std::string expected = "1 0 1\n2 2 3.5\n2 3 -1.5\n";
    const auto read = [&](const std::string& name, const std::string& content, const char* more = "") {
        return fixture.out("--pairs", fixture.file(name, content), more);
    };
    CHECK(read("ratings.txt", "1 0 4\n2 2 3.5\n2 3 1\n") == expected);
    CHECK(read("times.txt", "1 0 4 978300760\n2 2 3.5 978300761\n2 3 1 978300762\n") == expected);
    CHECK(read("blank.txt", "# pairs\n1 0\n\n2 2\n2 3\n") == expected);
    CHECK(read("r.csv", "user,item,rating,timestamp\n1,0,4,9\n2,2,3.5,9\n2,3,1,9\n") == expected);
    CHECK(read("item-first.csv", "item,user\n0,1\n2,2\n3,2\n") == expected);
    CHECK(read("r.dat", "1::0::5::978300760\n2::2::3::978300760\n2::3::3::978300760\n") == expected);
    CHECK(read("what.csv", "x;who;film\n7;1;0\n8;2;2\n9;2;3\n",
               "--rows-column who --cols-column film --delimiter ;") == expected);
    CHECK(read("r.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 5\n2 2 1\n") ==
          "1 1 2\n2 2 3.5\n");
}

TEST_CASE("users are named by lists with commas too", "[predict]") {
    const Fixture fixture;
    const std::string both = fixture.out("--top 1 --users 3 1");
    for (const Arguments& users : std::vector<Arguments>{{"3,1"}, {"3,", "1"}, {"3, 1"}}) {
        CHECK(fixture.out("--top 1 --users", users) == both);
    }
    fixture.refused(4, "unknown row \"77\"", "--top 1 --users 1,77");
    fixture.refused(4, "", "--top 1 --users 1,,3");
    // An ID with a comma is one ID.
    const Fixture commas(strings({"1", "1,3", "3"}));
    CHECK(commas.out("--top 1 --users 1,3") == "\"1,3\" 2 3.5 1\n");
}

TEST_CASE("a prediction is finite or an error", "[predict]") {
    const test::TemporaryFolder folder;
    const auto path = (folder / "m.h5").string(), target = (folder / "out").string();
    write_model(path, {1, 2, 1, {3e38F}, {3e38F, 2e38F}, RangeIds{0, 1}, RangeIds{0, 2}, "", {}});
    for (const char* what : {"--pairs -", "--top 1"}) {
        test::refused(4, "of (0, 0) is too large for a float", "lockstep-predict", path, "-o", target, what,
                      test::Input{"0 0\n"});
        CHECK_FALSE(std::filesystem::exists(target));
    }
    CHECK(run_program("lockstep-predict", path, "--top 1 --similar 0").out == "0 1 1 1\n");
}

TEST_CASE("empty and absent inputs are refused", "[predict]") {
    const Fixture fixture;
    const auto empty = fixture.file("empty", "");
    fixture.refused(4, "is empty", "--pairs", empty);
    CHECK(fixture.run("--pairs", empty + "-not").code == 4);
    CHECK(fixture.run("--pairs", fixture.folder.path()).code == 4);
    CHECK(fixture.run("--top 1 --users", empty).code == 4);
    CHECK(run_program("lockstep-predict", empty, "--top 1").code == 4);
    CHECK(run_program("lockstep-predict", empty + "-not", "--top 1").code == 4);
}

TEST_CASE("the top items of each user, equal scores in item order", "[predict]") {
    const Fixture fixture;
    CHECK(fixture.out("--top 2") == "1 1 2 1\n1 0 1 2\n2 2 3.5 1\n2 1 -0.5 2\n3 0 0 1\n3 1 0 2\n");
    const std::string all = fixture.out("--top 4 --users 1 3");
    CHECK(all == "1 1 2 1\n1 0 1 2\n1 2 1 3\n1 3 0 4\n3 0 0 1\n3 1 0 2\n3 2 0 3\n3 3 0 4\n");
    CHECK(fixture.out("--top 9000000000 --users 1 3") == all);  // no list is longer than the number of items
    CHECK(fixture.out("--top 1 --users", fixture.file("u.txt", "3\n1\n")) == "3 0 0 1\n1 1 2 1\n");
    // An ID of the model is an ID, even if a file has that name.
    const auto answer = nlohmann::json::parse(fixture.out("--top 1 --users 2 --json"));
    CHECK(answer == nlohmann::json({{"recommendations",
                                     {{{"user", "2"}, {"item", "2"}, {"score", 3.5}, {"rank", 1}}}}}));

    fixture.refused(4, "unknown row \"77\"", "--top 1 --users 1 77");
    fixture.refused(4, "bad.txt:2: unknown row \"9\"", "--top 1 --users", fixture.file("bad.txt", "1\n9\n"));
}

TEST_CASE("users that is not in the model are left out where that is said", "[predict]") {
    const Fixture fixture;
    const std::string one = fixture.out("--top 1 --users 1");
    for (const Arguments& users :
         std::vector<Arguments>{{"1", "77"}, {"88,1,77"}, {fixture.file("u.txt", "88\n1\n77\n")}})
        CHECK(fixture.out("--top 1 --unknown nan --users", users) == one);
    const auto output = fixture.run("--top 1 --unknown nan --users 88,1,77");
    CHECK_THAT(
        output.err,
        Catch::Contains("warning: 2 of 3 users are not in the model, and are left out; the first is \"88\""));
    fixture.refused(4, "all users are unknown; the first is the unknown row \"77\"",
                    "--top 1 --unknown nan --users 77");
    fixture.refused(4, "unknown row \"77\"", "--top 1 --unknown error --users 1,77");
    CHECK(fixture.run("--top 1 --unknown bias --users 1").code == 2);
}

TEST_CASE("many users and items: every list is the sorted row of predictions", "[predict]") {
    const test::TemporaryFolder folder;
    const VertexId rows = 1500, cols = 700;  // more than a block of users and several tiles of items
    Model model;
    model.rows = rows, model.cols = cols, model.rank = 3;
    std::uint32_t state = 1;
    const auto next = [&] {
        return static_cast<float>(static_cast<int>((state = state * 1664525U + 1013904223U) >> 28) - 8);
    };
    for (VertexId i = 0; i < rows * 3; ++i) model.row_factors.push_back(next());
    for (VertexId i = 0; i < cols * 3; ++i) model.col_factors.push_back(next());
    model.row_ids = RangeIds{0, rows}, model.col_ids = RangeIds{0, cols};
    write_model(folder / "m.h5", model);

    std::string expected;
    for (VertexId u = 0; u < rows; ++u) {
        std::vector<std::pair<int, int>> order;  // small whole numbers: exact, and with many ties
        for (VertexId i = 0; i < cols; ++i) {
            float score = 0;
            for (int k = 0; k < 3; ++k) score += model.row_factors[u * 3 + k] * model.col_factors[i * 3 + k];
            order.emplace_back(-static_cast<int>(score), i);
        }
        std::sort(order.begin(), order.end());
        for (int n = 0; n < 5; ++n) {
            expected += std::to_string(u) + ' ' + std::to_string(order[n].second) + ' ' +
                        std::to_string(-order[n].first) + ' ' + std::to_string(n + 1) + '\n';
        }
    }
    const auto result = test::done("lockstep-predict", folder / "m.h5", "--top 5");
    CHECK((result.out == expected));
}

TEST_CASE("rated pairs are left out, matched by name", "[predict]") {
    const Fixture fixture;
    // The model does not know user 9 and item 8; user 3 has not rated anything.
    const auto rated = fixture.file("r.txt", "1 1 5\n1 8 1\n2 2 4\n2 0 4\n9 0 2\n1 3 1\n");
    CHECK(fixture.out("--top 2 --exclude", rated) ==
          "1 0 1 1\n1 2 1 2\n2 1 -0.5 1\n2 3 -1.5 2\n3 0 0 1\n3 1 0 2\n");
    CHECK(fixture.out("--top 4 --users 2 --exclude", rated) == "2 1 -0.5 1\n2 3 -1.5 2\n");
    // A schedule file contains the ratings from which it was made, and which column is which.
    const auto schedules = (fixture.folder / "r.h5").string();
    write_schedule_file(schedules, read_dataset(rated), {}, {});
    CHECK(fixture.out("--top 4 --users 2 --exclude", schedules) == "2 1 -0.5 1\n2 3 -1.5 2\n");
    fixture.refused(4, "no pair with ids of the model", "--top 1 --exclude",
                    fixture.file("other.txt", "100 200 1\n101 201 1\n"));

    const Fixture names(strings({"007", "07", "x"}), strings({"a", "b", "c", "d"}));
    CHECK(names.out("--top 1 --exclude", names.file("r.txt", "007 b 5\n07 c 4\nx a 1\nx b 1\n")) ==
          "007 a 1 1\n07 b -0.5 1\nx c 0 1\n");
}

TEST_CASE("similar items by cosine, not by length", "[predict]") {
    const Fixture fixture;
    std::istringstream lines(fixture.out("--top 9 --similar 0"));
    const std::pair<int, double> expected[] = {{1, 0.9486833}, {3, 0.7071068}, {2, -0.3162278}};
    int rank = 0;
    for (std::string item, other, value, place; lines >> item >> other >> value >> place; ++rank) {
        REQUIRE(rank < 3);
        CHECK(item == "0");
        CHECK(std::stoi(other) == expected[rank].first);
        CHECK(std::stod(value) == Approx(expected[rank].second).epsilon(1e-6));
        CHECK(std::stoi(place) == rank + 1);
    }
    CHECK(rank == 3);
    CHECK(fixture.run("--top 1 --similar 4").code == 4);
}

TEST_CASE("rank 1, one user, one item", "[predict]") {
    const test::TemporaryFolder folder;
    Model model;
    model.rows = model.cols = model.rank = 1;
    model.row_factors = {0.1F};
    model.col_factors = {0.2F};
    model.row_ids = model.col_ids = RangeIds{0, 1};
    write_model(folder / "m.h5", model);
    const auto path = (folder / "m.h5").string();
    CHECK(run_program("lockstep-predict", path, "--pairs -", test::Input{"0 0\n"}).out ==
          "0 0 0.020000001\n");
    CHECK(run_program("lockstep-predict", path, "--top 3").out == "0 0 0.020000001 1\n");
    const auto none = test::done("lockstep-predict", path, "--top 3 --similar 0");
    CHECK(none.out.empty());
}

TEST_CASE("wrong use of lockstep-predict is exit 2", "[predict]") {
    const Fixture fixture;
    for (const char* arguments : {"", "--top 0", "--top -1", "--top x", "--pairs - --top 1", "--users 1",
                                  "--pairs - --users 1", "--pairs - --exclude r", "--pairs - --unknown skip",
                                  "--top 1 --unknown nan", "--top 1 --similar 0 --users 1"}) {
        CAPTURE(arguments);
        const auto result = fixture.run(arguments, test::Input{"1 0\n"});
        CHECK(result.code == 2);
        CHECK(result.out.empty());
    }
    CHECK(run_program("lockstep-predict --top 1").code == 2);
    CHECK(fixture.run("--top 1 -o", fixture.folder / "none/x").code == 6);
    CHECK(fixture.run("--top 1 -o /dev/full").code == 6);
}
