// Runs the model-based tests, each for a third of the time. Prints one line of JSON per test, which
// tools/torture.sh collects.
//
//     lockstep_model --seconds S --seed N --bin DIR [--tries T]      T: tries of a property at a time
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "model.hpp"

using namespace lockstep;

namespace {

std::uint64_t number(const char* text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
    if (error != std::errc() || (*end != '\0' && *end != '.'))  // ignores fractions of a second
        std::cerr << "lockstep_model: not a number: " << text << '\n', std::exit(2);
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t seconds = 60, seed = 1, tries = 100;
    model::Session session;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        if (name == "--bin")
            session.bin = std::filesystem::absolute(argv[i + 1]);
        else if (name == "--seconds" || name == "--seed" || name == "--tries")
            (name == "--seconds" ? seconds : name == "--seed" ? seed : tries) = number(argv[i + 1]);
        else
            return std::cerr << "lockstep_model: unknown option " << name << '\n', 2;
    }
    if (session.bin.empty())
        return std::cerr << "usage: lockstep_model --seconds S --seed N --bin DIR [--tries T]\n", 2;
    std::string pattern = (std::filesystem::temp_directory_path() / "lockstep-model-XXXXXX").string();
    session.folder = mkdtemp(pattern.data());
    setenv("LOCKSTEP_CACHE", (session.folder / "cache").c_str(), 1);

    using Clock = std::chrono::steady_clock;
    int failures = 0;
    session.end = Clock::now() + std::chrono::seconds(seconds);
    struct Row {
        const char* name;
        bool (*holds)(model::Session&, std::uint64_t, int);
        Clock::duration took{};
        std::uint64_t rounds = 0, tried = 0, refused = 0, failures = 0;
    } rows[] = {{"schedules of random graphs", model::builders_keep_their_promises},
                {"planted conflicts", model::conflicts_are_found},
                {"option lines", model::option_lines_end_with_a_code}};
    while (Clock::now() < session.end && failures == 0) {
        Row& row = *std::ranges::min_element(rows, {}, &Row::took);
        const auto begin = Clock::now();
        session.tried = session.refused = 0;
        row.failures += !row.holds(session, seed + row.rounds++, static_cast<int>(tries));
        failures += row.failures > 0;
        row.tried += session.tried;
        row.refused += session.refused;
        row.took += Clock::now() - begin;
    }
    for (const Row& row : rows)
        std::cout << fmt::format(
                         R"({{"class":"model: {}","tried":{},"refused":{},"identical":{},"failures":{}}})",
                         row.name, row.tried, row.refused, row.tried - row.refused, row.failures)
                  << '\n';
    std::error_code ignored;
    std::filesystem::remove_all(session.folder, ignored);
    return failures ? 7 : 0;
}
