// Parameters that are declared once: values given on the command line, defaults, and recorded values.
#include <catch2/catch.hpp>

#include <sstream>

#include "cli.hpp"
#include "command_line.hpp"
#include "field_options.hpp"

using namespace lockstep;

namespace {

enum class Shade { light, dark };

/// A parameter of each kind.
struct Sample {
    double share = 0.25;
    std::uint32_t rank = 16;
    std::optional<std::uint64_t> sweeps;
    Shade shade = Shade::light;
    std::optional<bool> exact;
    std::string every = "60s";
    std::optional<std::string> file;
    std::vector<std::string> set;
    bool trust = false;

    Fields fields() {
        Fields f;
        f.number("share", share, 0, 1, "a share").recorded();
        f.number("rank", rank, 1, 256, "a rank").with_letter('k');
        f.number("sweeps", sweeps, 0, 99, "sweeps").recorded();
        f.word("shade", shade, {{"light", Shade::light}, {"dark", Shade::dark}}, "a shade").recorded();
        f.word("sums", exact, {{"exact", true}, {"float", false}}, "sums");
        f.text("every-second", every, "N|Ns", "an interval").recorded();
        f.text("file", file, "FILE", "a file").reads();
        f.texts("set", set, "NAME=NUMBER", "settings");
        f.flag("trust", trust, "trust").recorded();
        return f;
    }
};

Fields taken(Sample& sample, const std::vector<std::string>& words) {
    Fields fields = sample.fields();
    cli::Options options;
    cli::add_fields(options, fields);
    cli::take_fields(cli::parse_command_line(words, {"test", "", "", ""}, options, {}), fields);
    return fields;
}

}  // namespace

TEST_CASE("fields that are not given keep their defaults", "[fields]") {
    Sample sample;
    const Fields fields = taken(sample, {});
    CHECK(sample.share == 0.25);
    CHECK(sample.rank == 16);
    CHECK_FALSE(sample.sweeps);
    CHECK(sample.shade == Shade::light);
    CHECK_FALSE(sample.exact);
    CHECK(sample.every == "60s");
    CHECK_FALSE(sample.file);
    CHECK(sample.set.empty());
    CHECK_FALSE(sample.trust);
    for (const Field& f : fields) CHECK_FALSE(f.is_given);
}

TEST_CASE("fields take what is given, and know it", "[fields]") {
    Sample sample;
    const Fields fields =
        taken(sample, {"--share", "0.5", "-k", "32", "--sweeps", "7", "--shade", "dark", "--sums", "float",
                       "--every-second", "5", "--file", "x.h5", "--set", "a=1", "--set", "b=2", "--trust"});
    CHECK(sample.share == 0.5);
    CHECK(sample.rank == 32);
    CHECK(sample.sweeps == 7);
    CHECK(sample.shade == Shade::dark);
    CHECK(sample.exact == false);
    CHECK(sample.every == "5");
    CHECK(sample.file == "x.h5");
    CHECK(sample.set == std::vector<std::string>{"a=1", "b=2"});
    CHECK(sample.trust);
    for (const Field& f : fields) CHECK(f.is_given);
    CHECK(
        fields.record() ==
        std::map<std::string, std::string>{
            {"share", "0.5"}, {"sweeps", "7"}, {"shade", "dark"}, {"every_second", "5"}, {"trust", "true"}});
}

TEST_CASE("a default is given again without being given", "[fields]") {
    Sample sample;
    CHECK(taken(sample, {"--share", "0.25"}).is_given("share"));
    CHECK_FALSE(taken(sample, {"--rank", "8"}).is_given("share"));
}

TEST_CASE("values beyond a field's range, and other words than its own, are refused by name", "[fields]") {
    Sample sample;
    CHECK_THROWS_WITH(taken(sample, {"--share", "1.5"}),
                      Catch::Contains("--share") && Catch::Contains("0 to 1"));
    CHECK_THROWS_WITH(taken(sample, {"--rank", "0"}),
                      Catch::Contains("--rank") && Catch::Contains("1 to 256"));
    CHECK_THROWS_WITH(taken(sample, {"--shade", "grey"}), Catch::Contains("light, dark"));
}

TEST_CASE("the help shows the present values as defaults", "[fields]") {
    Sample sample;
    sample.share = 0.2, sample.shade = Shade::dark;
    cli::Options options;
    cli::add_fields(options, sample.fields());
    std::ostringstream help;
    help << options;
    CHECK_THAT(help.str(),
               Catch::Contains("(=0.2)") && Catch::Contains("(=dark)") && Catch::Contains("(=16)"));
    CHECK_THAT(help.str(), !Catch::Contains("--sweeps N (="));
}

TEST_CASE("a list takes words separated by commas, and gpu means cuda", "[fields]") {
    std::vector<std::string> schedules{"agm-e"}, any;
    std::string device = "auto";
    Fields fields;
    fields.list("schedule", schedules, {"agm-e", "sgm"}, "schedules").with_letter('s');
    fields.begin_section("More options");
    fields.list("any", any, {}, "any words");
    fields.word("device", device, {"auto", "cpu", "cuda"}, "a device");
    const auto take = [&](const std::vector<std::string>& words) {
        cli::Options options;
        cli::add_fields(options, fields);
        cli::take_fields(cli::parse_command_line(words, {"test", "", "", ""}, options, {}), fields);
    };
    take({});
    CHECK(schedules == std::vector<std::string>{"agm-e"});
    CHECK(any.empty());
    take({"-s", "sgm,", "agm-e", "--any", "x", "--any", "y,z", "--device", "GPU"});
    CHECK(schedules == std::vector<std::string>{"sgm", "agm-e"});
    CHECK(any == std::vector<std::string>{"x", "y", "z"});
    CHECK(device == "cuda");
    CHECK_THROWS_WITH(take({"-s", "nope"}), Catch::Contains("--schedule") && Catch::Contains("agm-e, sgm"));
    const std::vector<cli::Section> sections = cli::sections_of(fields);
    REQUIRE(sections.size() == 2);
    CHECK(sections[0].title == "Options");
    CHECK(sections[1].options.options().size() == 2);
}
