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

    // The options as they are given:
    std::optional<std::string> update, vertices, rows, cols, edges;
    std::vector<std::string> set;
    std::optional<std::uint64_t> sweeps_given;

    /// Lists all options but --verify; `output` is the variable of --output.
    void list(lockstep::Fields& basic, lockstep::Fields& more, std::optional<std::string>& output);
    /// Sets source, files, settings, sweeps, threads and device from the options. Throws UsageError if no
    /// update is named, if `on` is the reference, or if an entry of --set is not NAME=NUMBER; and the errors
    /// of find_update().
    void settle(Device on, int most_threads);
};

/// Throws UsageError if an option names a file of states, read or written, that an update of this kind (one
/// set of vertices, or two sides) does not have.
void refuse_other_states(const Wanted& wanted, bool one_set);

}  // namespace lockstep::update
