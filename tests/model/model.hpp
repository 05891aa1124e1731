// Model-based tests with rapidcheck: check properties on random graphs, schedules and command lines. A
// failing input is made smaller before it is printed.
#pragma once

#include <rapidcheck.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// Prints the value as C++, to be pasted into a test. rapidcheck finds these functions by argument-dependent
/// lookup.
void showValue(const Graph& graph, std::ostream& out);
void showValue(const BuildOptions& options, std::ostream& out);

namespace model {

/// The environment and the counts of a run of the tests.
struct Session {
    std::filesystem::path bin;     ///< folder of the programs
    std::filesystem::path folder;  ///< working folder
    std::chrono::steady_clock::time_point end;
    std::uint64_t tried = 0, refused = 0;

    /// Returns true if there is time for one more try, and counts it.
    bool next() {
        if (std::chrono::steady_clock::now() >= end) return false;
        ++tried;
        return true;
    }
};

/// Generates a bipartite or square graph with up to about 100 edges. Stars, repeated pairs and isolated
/// vertices occur.
rc::Gen<Graph> graphs();
/// Generates parameters of the builders, both suitable and far too large for such a graph.
rc::Gen<BuildOptions> build_options();

// Each function checks a property with rapidcheck, up to `tries` times. If the property fails, prints the
// failing input and returns false.
bool builders_keep_their_promises(Session& session, std::uint64_t seed, int tries);
bool conflicts_are_found(Session& session, std::uint64_t seed, int tries);
bool option_lines_end_with_a_code(Session& session, std::uint64_t seed, int tries);

/// Checks a property with rapidcheck, with a given seed. Prints the failing input and returns false if it
/// fails.
template <class Property>
bool check(const char* description, std::uint64_t seed, int tries, Property&& property) {
    rc::detail::TestParams params;
    params.seed = seed;
    params.maxSuccess = tries;
    const auto result = rc::detail::checkTestable(std::forward<Property>(property),
                                                  rc::detail::TestMetadata{description, description}, params);
    if (result.template is<rc::detail::SuccessResult>()) return true;
    std::cerr << "model: " << description << ", seed " << seed << '\n';
    rc::detail::printResultMessage(result, std::cerr);
    std::cerr << '\n';
    return false;
}

/// The end of a program that ran with limits of time and file size.
struct Ended {
    int code;         ///< exit code, or 128 + signal if a signal ended it
    bool timed_out;   ///< whether it was killed because it took too long
    std::string err;  ///< contents of its standard error
};
/// Runs a program of the build, words[0], in the working folder, and waits for its end. Writes its output to
/// the files `out` and `err` there.
Ended run_bounded(const Session& session, const std::vector<std::string>& words, int seconds = 60);

}  // namespace model
}  // namespace lockstep
