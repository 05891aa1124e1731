// --help fits on one screen, and --help-all contains everything.
#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "cli_support.hpp"
#include "help.hpp"

using namespace lockstep::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::size_t columns_of(const std::string& line) {
    return static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return (c & '\xc0') != '\x80'; }));
}

/// Returns the part of a page behind the examples, which contain options, too.
std::string options_part(const std::string& page) { return page.substr(page.find("\nOptions:\n")); }
/// Returns the number of options that a page lists.
std::size_t rows_of(const std::string& page) {
    const std::regex row(R"(^  (-\w, )?--[a-z])");
    const auto lines = lines_of(options_part(page));
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(), [&](const std::string& line) { return std::regex_search(line, row); }));
}

const std::vector<std::string> pages{"lockstep-execute",
                                     "lockstep-execute --app sgd",
                                     "lockstep-execute --app pagerank",
                                     "lockstep-execute --app bp",
                                     "lockstep-execute --app bfs",
                                     "lockstep-execute --app sssp",
                                     "lockstep-execute --app dmr",
                                     "lockstep-execute --app springs",
                                     "lockstep-execute --app cc",
                                     "lockstep-execute --app kcore",
                                     "lockstep-execute --app mis",
                                     "lockstep-execute --app mst",
                                     "lockstep-execute --app triangles",
                                     "lockstep-train",
                                     "lockstep-preprocess",
                                     "lockstep-predict",
                                     "lockstep-report",
                                     "lockstep-generate",
                                     "lockstep-generate rmat",
                                     "lockstep-generate ratings",
                                     "lockstep-generate mesh",
                                     "lockstep-inspect",
                                     "lockstep-verify",
                                     "lockstep-recommend",
                                     "lockstep-probe"};

}  // namespace

TEST_CASE("help of every program fits a screen of 80 columns, examples first", "[options]") {
    constexpr std::size_t max_lines = 35, max_options = 16;
    for (const std::string& page : pages) {
        const Columns columns("80");
        const std::string help = done(page.c_str(), "--help").out;
        INFO(page << '\n' << help);
        const auto lines = lines_of(help);
        CHECK(lines.size() <= max_lines);
        CHECK(rows_of(help) <= max_options);
        for (const std::string& line : lines) CHECK(columns_of(line) <= 80);
        CHECK(help.find("\nExamples:\n  lockstep-") < help.find("\nOptions:\n"));
        CHECK_THAT(help, Catch::Contains("--help-all"));
    }
}

TEST_CASE("help is as wide as COLUMNS says, and 80 columns where nothing does", "[options]") {
    const std::string usual = done("lockstep-inspect --help").out;
    const auto widest = [](const std::string& text) {
        std::size_t most = 0;
        for (const std::string& line : lines_of(text)) most = std::max(most, columns_of(line));
        return most;
    };
    CHECK(widest(usual) <= 80);
    CHECK(widest(usual) > 60);
    for (const char* wrong : {"0", "x", "-3"}) {
        const Columns columns(wrong);
        CHECK(done("lockstep-inspect --help").out == usual);
    }
    const Columns columns("120");
    CHECK(widest(done("lockstep-inspect --help").out) > 100);
}

TEST_CASE("the whole help lists every option that the program takes", "[options]") {
    for (const std::string& page : pages) {
        const std::string help = done(page.c_str(), "--help").out, all = done(page.c_str(), "--help-all").out;
        INFO(page);
        std::smatch found;
        const std::regex count(R"(shows\s+all\s+(\d+)\s+options)");
        REQUIRE(std::regex_search(help, found, count));
        CHECK(rows_of(all) == std::stoul(found[1]));
        CHECK_THAT(all, Catch::Contains("\nExit codes:\n"));
    }
    // With --app, the help shows the options of this application.
    const std::string bfs = done("lockstep-execute --app bfs --help-all").out;
    CHECK_THAT(bfs, Catch::Contains("--source ID") && Catch::Contains("--direction") &&
                        Catch::Contains("\nStrategies of bfs:\n"));
    CHECK_THAT(bfs, !Catch::Contains("--rank") && !Catch::Contains("Strategies of sgd"));
    CHECK_THAT(options_part(done("lockstep-generate torus --help").out),
               Catch::Contains("--sides") && !Catch::Contains("--users"));
}

TEST_CASE("text is wrapped at words, below the column where it began", "[options]") {
    using lockstep::cli::wrap_text;
    CHECK(wrap_text("one two three\n", 8) == "one two\nthree\n");
    CHECK(wrap_text("  a  one two three\n\nend", 11) == "  a  one\n     two\n     three\n\nend\n");
    CHECK(wrap_text("  – é é é", 7) == "  – é é\n  é\n");
    CHECK(wrap_text("incomprehensible", 4) == "incomprehensible\n");
}

TEST_CASE("help: an option that several applications have has one default") {
    // Without --app the first declaration of a name counts, whichever application runs.
    std::map<std::string, std::string> defaults;
    const std::regex row(R"(^  (?:-\w, )?(--[a-z-]+)(?: \S+)? \(=([^)]*)\))");
    std::size_t shared = 0;
    for (const std::string& page : pages) {
        if (page.find("--app ") == std::string::npos) continue;
        for (const std::string& line : lines_of(options_part(done(page.c_str(), "--help-all").out))) {
            std::smatch option;
            if (!std::regex_search(line, option, row)) continue;
            const auto [known, is_new] = defaults.emplace(option[1], option[2]);
            INFO(page << ": " << option[1]);
            CHECK(known->second == option[2]);
            shared += !is_new;
        }
    }
    CHECK(shared > 50);
}
