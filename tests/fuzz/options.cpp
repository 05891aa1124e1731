// Fuzzes the parser of command lines. The lines of the input are words, parsed with options of every type.
#include <algorithm>
#include <vector>

#include "command_line.hpp"
#include "fuzz.hpp"
#include "input_options.hpp"

using namespace lockstep;

namespace {

/// Options of every type.
struct FuzzedOptions {
    std::optional<std::string> input, output;
    std::vector<std::string> schedules{"agm-e"}, strategies;
    std::string matching = "euler";
    int threads = 0;
    std::uint64_t seed = 1;
    double rate = 0.1;
    bool quiet = false;
    cli::InputOptions reading;

    void list(Fields& fields) {
        const std::vector<std::string> matchings{"first-fit", "euler"};
        fields.text("input", input, "FILE", "");
        fields.text("output", output, "FILE", "").with_letter('o');
        fields.list("schedule", schedules, {"agm-e", "agm-n", "sgm", "all"}, "").with_letter('s');
        fields.list("strategy", strategies, {}, "");
        fields.word("matching", matching, matchings, "");
        fields.number("threads", threads, 0, cli::max_threads, "");
        fields.number("seed", seed, 0, ~std::uint64_t{0}, "");
        fields.number("rate", rate, 0, 1e30, "");
        fields.flag("quiet", quiet, "").with_letter('q');
        reading.list(fields);
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> words;
    for (std::string_view rest = fuzz::Source(data, size).rest(); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    fuzz::try_to([&] {
        FuzzedOptions taken;
        Fields fields;
        taken.list(fields);
        cli::Options options;
        cli::add_fields(options, fields);
        try {
            cli::take_fields(
                cli::parse_command_line(words, {"lockstep-fuzz", "", "", ""}, options, {"input"}), fields);
        } catch (const boost::program_options::error& e) {  // cli::run converts it to exit code 2
            fuzz::require(*e.what() != '\0', "a refusal has a message");
            return;
        }
        fuzz::require(taken.threads >= 0 && taken.threads <= cli::max_threads,
                      "a number is within its bounds");
        fuzz::require(taken.rate >= 0 && taken.rate <= 1e30, "a number is within its bounds");
        fuzz::require(taken.reading.reading().memory_limit > 0, "a size is at least one byte");
    });
    return 0;
}
