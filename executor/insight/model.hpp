// The cost model: what a sweep of each strategy takes, from a probe and a graph's statistics; docs/guides/choosing.md
// derives it.
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
    double raw = 0;     ///< seconds, as probe and statistics give them
    double factor = 1;  ///< what raw was found to be off by, over many graphs (model_factors.hpp)
    double seconds() const { return raw * factor; }
};

struct Prediction {
    std::string strategy;
    std::string schedule;     ///< that it needs; empty: none
    bool exact = true;        ///< its updates are those of some order of the edges: no racing
    bool in_file = false;     ///< the schedule is there already
    std::string refused;      ///< why it cannot run here; empty: it can
    std::vector<Term> terms;  ///< of a sweep
    bool measured = false;    ///< the terms are no prediction, but a measurement
    double preprocess = 0;    ///< seconds that building the schedule takes, or took
    double load = 0;          ///< seconds of plan, layout and transfer

    double sweep() const {
        double sum = 0;
        for (const Term& term : terms) sum += term.seconds();
        return sum;
    }
    double kept(double sweeps) const { return load + sweeps * sweep(); }  ///< with the schedule in a file
    double total(double sweeps) const { return preprocess + kept(sweeps); }
    /// The largest term.
    const Term& dominant() const;
};

/// By what builders choose sizes for a GPU: the fitted figures, each times what the probe measured of its like,
/// over that of the device they are of. They are at rank 16: what a probe of another rank says of edges stays
/// out.
DeviceCosts device_costs(const Probe& probe);

/// What schedules are made for on this device: its rank and, of a GPU, its multiprocessors. Costs stay those
/// of one device, so that the same input gives the same model wherever a probe lies.
BuildOptions build_options(const Probe& probe);

/// Of one strategy of SGD.
Prediction predict(const Strategy& strategy, const Statistics& statistics, const Probe& probe);
/// Of all of them, in the order of the registry.
std::vector<Prediction> predict(const Statistics& statistics, const Probe& probe);

}  // namespace lockstep::insight
