// What a user asks of an update of one's own: the options of --app update.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/device.hpp"
#include "apps/update/application.hpp"
#include "apps/update/compile.hpp"
#include "cli.hpp"

namespace lockstep::update {

struct Wanted {
    Source source;
    StateFiles files;
    std::optional<std::string> output_cols, output_edges;
    std::vector<std::pair<std::string, double>> settings;  ///< fields of Parameters
    std::uint64_t sweeps = 10;
    int threads = 1;
    double tune_seconds = 10;
    Device device = Device::automatic;
};

void declare_wanted(cli::Options& basic, cli::Options& tuning);

/// Throws cli::UsageError where no update is named, or a setting is none.
Wanted read_wanted(const cli::Values& values, Device device, int threads);

/// Throws cli::UsageError for a file of states that an update of one set, or of two sides, does not have.
void refuse_other_states(const Wanted& wanted, bool one_set);

}  // namespace lockstep::update
