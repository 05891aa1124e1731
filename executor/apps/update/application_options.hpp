// The options of --app update.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/device.hpp"
#include "apps/update/application.hpp"
#include "apps/update/numbers.hpp"
#include "cli.hpp"

namespace lockstep::update {

struct Wanted {
    Source source;
    StateFiles files;
    std::optional<std::string> output_cols, output_edges;
    std::vector<Setting> settings;
    std::uint64_t sweeps = 10;
    int threads = 1;
    double tune_seconds = 10;
    Device device = Device::automatic;
};

void declare_wanted(cli::Options& basic, cli::Options& tuning);

/// Throws cli::UsageError if no update is named, or if --set has something else than NAME=NUMBER.
Wanted read_wanted(const cli::Values& values, Device device, int threads);

/// Throws cli::UsageError for a file of states, read or written, that an update of one set of vertices, or of
/// two sides, does not have.
void refuse_other_states(const Wanted& wanted, bool one_set);

}  // namespace lockstep::update
