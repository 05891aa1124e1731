// The options of the application that runs user updates (--app update).
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

struct UpdateRunOptions {
    Source source;
    StateFiles files;
    std::optional<std::string> output_cols, output_edges;
    std::vector<Setting> settings;
    std::uint64_t sweeps = 10;
    int threads = 1;
    double tune_seconds = 10;
    Device device = Device::automatic;

    // values of the options as they were given
    std::optional<std::string> update, vertices, rows, cols, edges;
    std::vector<std::string> set;
    std::optional<std::uint64_t> sweeps_given;

    /// Lists all options except --verify. `output` receives the value of --output.
    void list(lockstep::Fields& basic, lockstep::Fields& more, std::optional<std::string>& output);
    /// Sets source, files, settings, sweeps, threads and device from the given options. Throws UsageError if
    /// no update is given, if the device `on` is the reference, or if a value of --set is not NAME=NUMBER;
    /// also throws the errors of find_update().
    void settle(Device on, int max_threads);
};

/// Throws UsageError if an option names a file of states that the update does not have. `one_set`: whether
/// the update has one set of vertices (files of vertices), or two sides (files of rows and columns).
void refuse_other_states(const UpdateRunOptions& wanted, bool one_set);

}  // namespace lockstep::update
