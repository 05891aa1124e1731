// The options for reading an input: words become ReadOptions, wrong words are usage errors.
#include "catch.hpp"
#include "command_line.hpp"
#include "input_options.hpp"
#include "lockstep/formats/memory.hpp"

using namespace lockstep;

namespace {

ReadOptions options_of(const std::vector<std::string>& arguments) {
    cli::InputOptions input;
    Fields fields;
    input.list(fields);
    cli::Options options;
    cli::add_fields(options, fields);
    cli::take_fields(cli::parse_command_line(arguments, {"test", "", "", ""}, options, {}), fields);
    return input.reading();
}

}  // namespace

TEST_CASE("input options: everything is detected by default") {
    const ReadOptions options = options_of({});
    CHECK_FALSE(options.format);
    CHECK_FALSE(options.shape);
    CHECK_FALSE(options.header);
    CHECK_FALSE(options.delimiter);
    CHECK_FALSE(options.undirected);
    CHECK(options.repeats == RepeatPolicy::keep);
    CHECK(options.memory_limit == physical_memory());
}

TEST_CASE("input options: all choices") {
    const ReadOptions options = options_of({"--format",     "edge-list",     "--shape",  "square",
                                            "--undirected", "--repeats",     "mean",     "--rows-column",
                                            "user",         "--cols-column", "2",        "--value-column",
                                            "none",         "--delimiter",   "tab",      "--header",
                                            "no",           "--nonnegative", "--memory", "1.5G"});
    CHECK(options.format == "edge-list");
    CHECK(options.shape == GraphShape::square);
    CHECK(options.undirected);
    CHECK(options.repeats == RepeatPolicy::mean);
    CHECK(options.row_column == "user");
    CHECK(options.col_column == "2");
    CHECK(options.value_column == "none");
    CHECK(options.delimiter == "\t");
    CHECK(options.header == false);
    CHECK(options.nonnegative);
    CHECK(options.memory_limit == 1'500'000'000);
    CHECK(options_of({"--delimiter", "|"}).delimiter == "|");
    CHECK(options_of({"--delimiter", "::"}).delimiter == "::");
    CHECK(options_of({"--delimiter", "\\t"}).delimiter == "\t");
    CHECK(options_of({"--memory", "512MB"}).memory_limit == 512'000'000);
}

TEST_CASE("input options: wrong words are usage errors") {
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--format", "excel"},
                                               {"--shape", "round"},
                                               {"--repeats", "often"},
                                               {"--delimiter", ":::"},
                                               {"--delimiter", "\n"},
                                               {"--delimiter", ""},
                                               {"--header", "perhaps"},
                                               {"--memory", "much"},
                                               {"--memory", "-1G"},
                                               {"--memory", "8X"},
                                               {"--memory", "nan"},
                                               {"--memory", "0"},
                                               {"--shape", "bipartite", "--undirected"}}) {
        CAPTURE(wrong);
        CHECK_THROWS(options_of(wrong));
    }
}
