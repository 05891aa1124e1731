// IDs of every kind are preserved in the programs' text outputs.
#include <algorithm>

#include "cli_support.hpp"
#include "odd_ids.hpp"

using namespace lockstep::test;

namespace {

/// Returns a quoted CSV field.
std::string csv(const std::string& value) {
    std::string quoted = "\"";
    for (const char c : value) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

std::string ratings() {
    std::string text = "user,item,rating\n";
    for (std::size_t i = 0; i < odd_ids.size(); ++i) {
        for (std::size_t j = 0; j < 6; ++j)
            text += csv(odd_ids[i]) + "," + csv(odd_ids[(i + 7 * j) % odd_ids.size()]) + "," +
                    std::to_string(1 + (i + j) % 5) + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("ids of all kinds come back by --export-test and --evaluate, by --top and --pairs", "[ids]") {
    const TemporaryFolder folder;
    write_file(folder / "t.csv", ratings());
    done("lockstep-train", folder / "t.csv", "-m", folder / "m.h5",
         "--device cpu --sweeps 2 -k 2 --test-fraction 0.4 -q --export-test", folder / "test.txt");
    const std::string exported = read_file(folder / "test.txt");
    const auto evaluation = parsed("lockstep-predict", folder / "m.h5",
                                   "--json --at 0 --unknown error --evaluate", folder / "test.txt")
                                .at("evaluation");
    CHECK(evaluation.at("pairs") == std::count(exported.begin(), exported.end(), '\n'));

    done("lockstep-predict", folder / "m.h5", "--top 3 -o", folder / "top.txt");
    const auto top = parsed("lockstep-predict", folder / "m.h5", "--top 3 --json").at("recommendations"),
               pairs = parsed("lockstep-predict", folder / "m.h5", "--json --value-column none --pairs",
                              folder / "top.txt")
                           .at("predictions");
    REQUIRE(pairs.size() == top.size());
    for (std::size_t i = 0; i < top.size(); ++i) {
        CHECK(pairs[i].at("row") == top[i].at("user"));
        CHECK(pairs[i].at("col") == top[i].at("item"));
    }
    // The output of --pairs is valid input of --pairs.
    const std::string once =
        done("lockstep-predict", folder / "m.h5", "--value-column none --pairs", folder / "top.txt").out;
    CHECK(done("lockstep-predict", folder / "m.h5", "--value-column none --pairs -", Input{once}).out ==
          once);
}

TEST_CASE("ids of all kinds come back from the results of applications", "[ids]") {
    const TemporaryFolder folder;
    write_file(folder / "t.csv", ratings());
    done("lockstep-preprocess", folder / "t.csv", "--shape square -o", folder / "g.h5", "-q");
    done("lockstep-execute", folder / "g.h5", "--app pagerank --strategy pull --device cpu -q -o",
         folder / "r.txt");
    // In `id rank` lines the numbers become the other side.
    done("lockstep-preprocess", folder / "r.txt", "-o", folder / "r.h5", "-q");
    const std::string before = done("lockstep-inspect", folder / "g.h5").out,
                      after = done("lockstep-inspect", folder / "r.h5").out;
    const std::string ids = "46 strings";
    CHECK(odd_ids.size() == 46);
    CHECK_THAT(before, Catch::Contains(ids));
    CHECK_THAT(after, Catch::Contains(ids));
}

TEST_CASE("ids go up to 2^63 - 1, in schedule files and in models", "[ids]") {
    const TemporaryFolder folder;
    done("lockstep-preprocess - -q -o", folder / "a.h5", Input{"9223372036854775807 1 3\n"});
    done("lockstep-verify", folder / "a.h5");
    done("lockstep-train - --device cpu --test-fraction 0 -q -m", folder / "m.h5",
         Input{"9223372036854775806 1 3\n9223372036854775807 2 4\n9223372036854775807 1 4\n"});
    CHECK(done("lockstep-predict", folder / "m.h5", "--top 1 --users 9223372036854775807 --include-taken")
              .out.starts_with("9223372036854775807 "));
}
