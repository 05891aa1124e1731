// The cost model: predicts the time of a sweep under each strategy, from the measured figures of a device
// (probe) and the statistics of a graph. docs/guides/choosing.md derives the model.
#pragma once

#include <string>
#include <vector>

#include "insight/probe.hpp"
#include "insight/statistics.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep::insight {

/// One term of a prediction. The predicted time of a sweep is the sum of its terms.
struct Term {
    std::string name;  ///< name of the term: "rounds", "chain", "edges", …
    std::string how;   ///< explanation of the term: "251 rounds, 1.87 µs each"
    double raw = 0;    ///< time in seconds, computed from the probe and the statistics
    /// Correction factor, which was fitted to the times of many graphs (Probe::factors).
    double factor = 1;
    double seconds() const { return raw * factor; }
};

struct Prediction {
    std::string strategy;
    std::string schedule;  ///< name of the schedule that the strategy requires; empty: none
    /// Whether the strategy loses no updates, so that the result equals that of a serial run in some order of
    /// the edges.
    bool exact = true;
    bool in_file = false;  ///< whether the schedule file contains the schedule already
    std::string refused;   ///< reason why the strategy cannot run on the graph or the device; empty: it can
    std::vector<Term> terms;  ///< terms whose sum is the time of one sweep
    bool measured = false;    ///< whether the terms were measured instead of predicted
    double preprocess = 0;    ///< time in seconds that building the schedule takes, or took
    double load = 0;          ///< time in seconds for making the plan and copying it to the device

    double sweep() const {
        double sum = 0;
        for (const Term& term : terms) sum += term.seconds();
        return sum;
    }
    /// Returns the time of loading and `sweeps` sweeps in seconds, which is the total time if the schedule is
    /// already in a file.
    double kept(double sweeps) const { return load + sweeps * sweep(); }
    double total(double sweeps) const { return preprocess + kept(sweeps); }
    /// Returns the term with the longest time.
    const Term& dominant() const;
};

/// Predicts the time of SGD under one strategy.
Prediction predict(const Strategy& strategy, const Statistics& statistics, const Probe& probe);
/// Predicts the times of SGD under all strategies, in the order of the strategy table.
std::vector<Prediction> predict(const Statistics& statistics, const Probe& probe);

}  // namespace lockstep::insight
