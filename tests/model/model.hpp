// Model-based tests with rapidcheck: random graphs, schedules and command lines against what is said of them.
// What fails is made smaller before it is shown.
#pragma once

#include <rapidcheck.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// As C++, to be pasted into a test. (rapidcheck finds them by their arguments.)
void showValue(const Graph& graph, std::ostream& out);
void showValue(const BuildOptions& options, std::ostream& out);

namespace model {

struct Session {
    std::filesystem::path bin;     ///< the programs
    std::filesystem::path folder;  ///< to work in
    std::chrono::steady_clock::time_point end;
    std::uint64_t tried = 0, refused = 0;

    /// Whether there is time for one more; counts it.
    bool next() {
        if (std::chrono::steady_clock::now() >= end) return false;
        ++tried;
        return true;
    }
};

/// A bipartite or square graph of up to a hundred or so edges: stars, repeated pairs and isolated vertices
/// occur.
rc::Gen<Graph> graphs();
/// Parameters of the builders, in and out of proportion to such a graph.
rc::Gen<BuildOptions> build_options();

/// The properties. Each runs with rapidcheck until it has succeeded or fails; false: it has failed, and said
/// how.
bool builders_keep_their_promises(Session& session, std::uint64_t seed, int tries);
bool conflicts_are_found(Session& session, std::uint64_t seed, int tries);
bool option_lines_end_with_a_code(Session& session, std::uint64_t seed, int tries);

/// rapidcheck with our seed.
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

/// What a program did within bounds of time, memory and file size.
struct Ended {
    int code;         ///< 128 + signal where it was killed
    bool timed_out;   ///< and therefore killed
    std::string err;  ///< of its standard error
};
Ended run_bounded(const Session& session, const std::vector<std::string>& words, int seconds = 60);

}  // namespace model
}  // namespace lockstep
