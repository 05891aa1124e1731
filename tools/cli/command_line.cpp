#include "command_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "names.hpp"

namespace lockstep::cli {
namespace po = boost::program_options;

namespace {

const po::option_description* find_option(const Options& options, const std::string& name) {
    return name.empty() ? nullptr : options.find_nothrow(name, false);
}

/// Returns the option whose value is the next word ("--schedule", "-s") or is part of this word
/// ("--schedule=agm-e").
const po::option_description* option_of(const Options& options, const std::string& word) {
    if (word.starts_with("--")) return find_option(options, word.substr(2, word.find('=') - 2));
    return word.size() == 2 && word[0] == '-' ? find_option(options, word) : nullptr;
}

bool is_list(const po::option_description* option) {
    return option && dynamic_cast<const List*>(option->semantic().get());
}

/// Joins words such as "agm-e," "sgm" to one list value.
std::vector<std::string> join_lists(const std::vector<std::string>& words, const Options& options) {
    std::vector<std::string> joined;
    for (std::size_t i = 0; i < words.size(); ++i) {
        joined.push_back(words[i]);
        if (words[i] == "--")
            return joined.insert(joined.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                 words.end()),
                   joined;
        if (!is_list(option_of(options, words[i]))) continue;
        if (words[i].find('=') == words[i].npos && i + 1 < words.size()) joined.push_back(words[++i]);
        while (i + 1 < words.size() && (joined.back().ends_with(',') || words[i + 1].starts_with(',')))
            joined.back() += words[++i];
    }
    return joined;
}

/// Returns a suggestion for an unexpected word on the command line: an option that has this word as a value,
/// or otherwise the option with the most similar name.
std::string meant(const std::string& word, const Options& options) {
    std::vector<std::string> names;
    std::string close;
    for (const auto& option : options.options()) {
        names.push_back("--" + option->long_name());
        const auto* known = dynamic_cast<const Words*>(option->semantic().get());
        const std::string value = known ? nearest(word, known->known()) : "";
        if (value == lower(word) || (close.empty() && !value.empty()))
            close = "--" + option->long_name() + " " + value;
    }
    return close.empty() ? did_you_mean("--" + word, names) : "; did you mean " + close + "?";
}

std::string unknown_option(const std::string& word, const Options& options) {
    std::vector<std::string> names;
    for (const auto& option : options.options()) names.push_back("--" + option->long_name());
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("there is no option {}{}", name,
                       name.starts_with("--") ? did_you_mean(name, names) : "");
}

}  // namespace

Values parse_command_line(std::vector<std::string> words, const Program& program, const Options& options,
                          const std::vector<std::string>& positional) {
    words = join_lists(words, options);
    po::positional_options_description places;
    for (std::size_t i = 0; i < positional.size(); ++i)
        places.add(positional[i].c_str(), i + 1 == positional.size() ? -1 : 1);
    // Matching abbreviated option names would make every new option a breaking change.
    const int style = po::command_line_style::unix_style ^ po::command_line_style::allow_guessing;
    Values values;
    try {
        const po::parsed_options parsed =
            po::command_line_parser(words).options(options).positional(places).style(style).run();
        std::size_t place = 0;
        for (const po::option& option : parsed.options) {
            if (option.position_key < 0) continue;
            const bool several =
                !positional.empty() && dynamic_cast<const po::typed_value<std::vector<std::string>>*>(
                                           find_option(options, positional.back())->semantic().get());
            place += option.value.size();
            if (place > positional.size() && !several)
                throw UsageError(fmt::format("unexpected argument {}{}", option.value.back(),
                                             meant(option.value.back(), options)));
        }
        po::store(parsed, values);
    } catch (const po::unknown_option& e) {
        throw UsageError(unknown_option(e.get_option_name(), options));
    } catch (const po::too_many_positional_options_error&) {
        throw UsageError(fmt::format("{} accepts only options, no other arguments", program.name));
    } catch (const po::error_with_option_name& e) {
        // The message replaces %value% by the value until no %value% is left, which never ends if the value
        // contains it.
        if (std::none_of(words.begin(), words.end(), [](const std::string& word) {
                return std::count(word.begin(), word.end(), '%') > 1;
            }))
            throw;
        throw UsageError(
            fmt::format("{}: the option or its value cannot be right; see --help", e.get_option_name()));
    }
    po::notify(values);
    return values;
}

}  // namespace lockstep::cli
