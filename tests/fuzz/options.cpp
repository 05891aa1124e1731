// Fuzzes the parser of command lines. The lines of the input are words, parsed with options of every type.
#include <algorithm>
#include <vector>

#include "command_line.hpp"
#include "fuzz.hpp"
#include "input_options.hpp"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const cli::Options options = [] {
        namespace po = boost::program_options;
        cli::Options all;
        // clang-format off
        all.add_options()
            ("input", po::value<std::string>(), "")
            ("output,o", po::value<std::string>(), "")
            ("schedule,s", cli::list({"agm-e", "agm-n", "sgm", "all"})->default_value({"agm-e"}, "agm-e"), "")
            ("strategy", cli::list({}), "")
            ("matching", cli::word({"first-fit", "euler"})->default_value("euler"), "")
            ("threads", cli::number<int>(0, cli::max_threads)->default_value(0), "")
            ("seed", cli::number<std::uint64_t>(0, ~std::uint64_t{0})->default_value(1), "")
            ("rate", cli::number<double>(0, 1e30)->default_value(0.1), "")
            ("quiet,q", "");
        // clang-format on
        cli::add_input_options(all);
        return all;
    }();
    std::vector<std::string> words;
    for (std::string_view rest = fuzz::Source(data, size).rest(); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    fuzz::try_to([&] {
        cli::Values values;
        try {
            values = cli::parse_command_line(words, {"lockstep-fuzz", "", "", ""}, options, {"input"});
        } catch (const boost::program_options::error& e) {  // cli::run converts it to exit code 2
            fuzz::require(*e.what() != '\0', "a refusal has a message");
            return;
        }
        const int threads = values["threads"].as<int>();
        const double rate = values["rate"].as<double>();
        fuzz::require(threads >= 0 && threads <= cli::max_threads, "a number is within its bounds");
        fuzz::require(rate >= 0 && rate <= 1e30, "a number is within its bounds");
        const ReadOptions read = cli::input_options(values);
        fuzz::require(read.memory_limit > 0, "a size is at least one byte");
    });
    return 0;
}
