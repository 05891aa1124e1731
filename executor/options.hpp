// The command line of lockstep-execute.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "apps/pagerank/driver.hpp"
#include "apps/sgd/driver.hpp"
#include "cli.hpp"

namespace lockstep {

struct ExecuteRequest {
    std::string file;  ///< schedule file
    std::string app;
    std::string strategy;
    std::optional<std::string> order;  ///< schedule whose edge or vertex order an online strategy takes
    std::optional<std::string> model, record, lock;
    bool trust = false;  ///< run schedules that are not proved
    sgd::SgdOptions sgd;

    std::optional<std::string> output;  ///< PageRank: where the ranks go
    std::uint64_t top = 0;
    bool verify = false;
    pagerank::PageRankOptions pagerank;

    /// Sweeps or rounds asked for.
    std::uint64_t sweeps() const { return app == "pagerank" ? pagerank.rounds : sgd.sweeps; }
};

/// An application: its name, and what runs it.
struct App {
    const char* name;
    const char* summary;
    int (*execute)(const ExecuteRequest&, const cli::Common&);
};
std::span<const App> apps();
/// Throws UsageError listing the known names.
const App& find_app(const std::string& name);

cli::Options execute_options();
/// Throws UsageError, among others for options of another application.
ExecuteRequest execute_request(const cli::Values& values);

}  // namespace lockstep
