// The cost model: predicts the time of a sweep of each strategy from a probe and the statistics of a graph.
// docs/guides/choosing.md derives it.
#pragma once

#include <string>
#include <vector>

#include "insight/probe.hpp"
#include "insight/statistics.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep::insight {

/// One addend of a prediction.
struct Term {
    std::string name;   ///< "rounds", "chain", "edges", …
    std::string how;    ///< "251 rounds, 1.87 µs each"
    double raw = 0;     ///< seconds that follow from probe and statistics
    double factor = 1;  ///< correction of `raw`, fitted to the times of many graphs (model_factors.hpp)
    double seconds() const { return raw * factor; }
};

struct Prediction {
    std::string strategy;
    std::string schedule;  ///< name of the schedule that the strategy needs; empty: none
    /// Whether the updates are equivalent to a serial order of the edges: nothing is unsynchronized.
    bool exact = true;
    bool in_file = false;     ///< whether the schedule is built already
    std::string refused;      ///< reason why the strategy cannot run here; empty: it can
    std::vector<Term> terms;  ///< terms of the time of one sweep
    bool measured = false;    ///< whether the terms are measured, not predicted
    double preprocess = 0;    ///< seconds that building the schedule takes, or took
    double load = 0;          ///< seconds of plan, layout and transfer

    double sweep() const {
        double sum = 0;
        for (const Term& term : terms) sum += term.seconds();
        return sum;
    }
    /// Returns the seconds of loading and sweeps: the total if the schedule is in a file.
    double kept(double sweeps) const { return load + sweeps * sweep(); }
    double total(double sweeps) const { return preprocess + kept(sweeps); }
    /// Returns the largest term.
    const Term& dominant() const;
};

/// Returns the costs by which builders choose sizes for a GPU: the fitted figures of the H200, each
/// multiplied by the ratio of this probe's measurement to that of the H200. The figures are for rank 16, so
/// the measurements per edge of a probe of another rank are not used.
DeviceCosts device_costs(const Probe& probe);

/// Returns the options for schedules on this device: its rank and, for a GPU, its number of multiprocessors.
/// Costs stay those of one device, so that the same input gives the same trained model with any probe.
BuildOptions build_options(const Probe& probe);

/// Predicts one strategy of SGD.
Prediction predict(const Strategy& strategy, const Statistics& statistics, const Probe& probe);
/// Predicts all strategies, in the order of the registry.
std::vector<Prediction> predict(const Statistics& statistics, const Probe& probe);

}  // namespace lockstep::insight
