#include "help.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "printable.hpp"

namespace lockstep::cli {

namespace {

namespace po = boost::program_options;

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0 success, 1 failed, 2 usage error, 3 diverged, 4 bad or damaged input, 5 no usable GPU or too little "
    "GPU memory, 6 output could not be written, 7 verification failed, 129, 130 and 143 interrupted, 141 "
    "standard output is closed\n";

/// Returns the part of a description before the first semicolon or line break outside of brackets.
std::string beginning(const std::string& text) {
    int depth = 0;
    const auto end = std::find_if(text.begin(), text.end(), [&](char c) {
        depth += (c == '(') - (c == ')');
        return depth == 0 && (c == ';' || c == '\n');
    });
    return {text.begin(), end != text.begin() && end[-1] == ':' ? end - 1 : end};
}

/// Formats "  -o, --output FILE    what it is": the names fill the columns before `column`, or a line of
/// their own.
std::string row(const po::option_description& option, const std::string& what, std::size_t column) {
    std::string line = "  " + option.format_name();  // -o [ --output ]
    if (const std::size_t at = line.find(" [ "); at != line.npos)
        line = line.substr(0, at) + ", " + line.substr(at + 3, line.size() - at - 5);
    if (const std::string value = option.format_parameter(); !value.empty()) line += " " + value;
    const std::string margin(column, ' ');
    line += columns(line) + 2 > column ? "\n" + margin : margin.substr(columns(line));
    for (const char c : what) line += c == '\n' ? c + margin : std::string(1, c);
    return line + '\n';
}

std::string rows(const Section& section, std::size_t column) {
    std::string text = "\n" + section.title + ":\n";
    for (const auto& option : section.options.options()) text += row(*option, option->description(), column);
    return text;
}

}  // namespace

std::string help_page(const Program& program, const Options& common, bool all, std::size_t width) {
    constexpr std::size_t widest = 28;  // column of the descriptions
    const std::size_t column = std::min(widest, width / 3);
    std::string page = "Usage: " + program.usage + "\n\n" + program.summary + '\n';
    if (!program.examples.empty()) page += "\nExamples:\n" + program.examples;
    const Options options = options_of(program);
    if (all) {
        for (const Section& section : program.sections) page += rows(section, column);
        page += rows({"Common options", common}, column);
        if (!program.notes.empty()) page += '\n' + program.notes;
        page += '\n' + std::string(exit_codes);
    } else {
        page += "\nOptions:\n";
        std::vector<std::string> names = program.basic;
        if (names.empty()) {
            for (const auto& option : program.sections.front().options.options())
                names.push_back(option->long_name());
        }
        for (const std::string& name : names) {
            const po::option_description& option = options.find(name, false);
            page += row(option, beginning(option.description()), column);
        }
        page += fmt::format(
            "\n--help-all shows all {} options and the exit codes; "
            "every program has --json, --quiet, --verbose and --version.\n",
            options.options().size() + common.options().size());
    }
    return wrap_text(page, width);
}

std::size_t page_width() {
    constexpr std::size_t usual = 80, least = 40, most = 1000;
    const char* const given = std::getenv("COLUMNS");
    if (const auto requested = parse_number(given ? given : "", least, most)) return *requested;
    winsize window{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= least ? window.ws_col : usual;
}

std::string wrap_text(std::string_view text, std::size_t width) {
    std::string page;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size()),
                          gap = line.find("  ", indent),
                          start = gap == line.npos ? indent : line.find_first_not_of(' ', gap);
        const std::size_t margin = columns(line.substr(0, start));
        page += line.substr(0, start);
        std::size_t column = margin;
        for (std::size_t at = start; at < line.size();) {
            const std::string_view word = line.substr(at, line.find(' ', at) - at);
            if (at > start && column + 1 + columns(word) > width) {
                page += '\n' + std::string(margin, ' ');
                column = margin;
            } else if (at > start) {
                page += ' ', ++column;
            }
            page += word, column += columns(word);
            at += word.size() + 1;
        }
        page += '\n';
    }
    return page;
}

}  // namespace lockstep::cli
