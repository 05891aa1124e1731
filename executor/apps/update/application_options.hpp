// The options of --app update.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/device.hpp"
#include "apps/update/application.hpp"
#include "apps/update/numbers.hpp"
#include "lockstep/formats/console.hpp"

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

    // As they are given:
    std::optional<std::string> update, vertices, rows, cols, edges;
    std::vector<std::string> set;
    std::optional<std::uint64_t> sweeps_given;

    /// Lists all but --verify; `output` is the variable of --output.
    void list(lockstep::Fields& basic, lockstep::Fields& more, std::optional<std::string>& output);
    /// Makes the first members of what is given. Throws UsageError if no update is named, or if --set has something
    /// else than NAME=NUMBER.
    void settle(Device on, int most_threads);
};

/// Throws UsageError for a file of states, read or written, that an update of one set of vertices, or of
/// two sides, does not have.
void refuse_other_states(const Wanted& wanted, bool one_set);

}  // namespace lockstep::update
