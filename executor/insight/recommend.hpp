// The ranking of the strategies, its reason, and the numbers of sweeps at which one strategy overtakes
// another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "insight/model.hpp"

namespace lockstep::insight {

struct Question {
    double sweeps = 20;
    bool racing = false;  ///< whether strategies that lose updates, or add them late, may be recommended
    /// Whether only strategies whose schedule is in the file may be recommended; preprocessing then costs
    /// nothing.
    bool from_file = false;
};

struct BreakEven {
    std::string strategy, against;
    /// Number of sweeps from which `strategy` is faster, with preprocessing and loading included.
    double sweeps;
};

struct Recommendation {
    std::vector<Prediction> ranked;     ///< predictions by total time: eligible ones first, refused ones last
    std::size_t eligible = 0;           ///< number of strategies that may be recommended
    std::vector<BreakEven> break_even;  ///< numbers of sweeps at which the first place changes, in order
    std::string reason;                 ///< one sentence
};

/// Ranks the strategies by the time of preprocessing (unless the schedule is in the file), loading and
/// sweeps. Throws Error if no strategy may be recommended.
Recommendation recommend(const Statistics& statistics, const Probe& probe, const Question& question);
/// Ranks predictions, for example ones that were corrected by measurement.
Recommendation rank(std::vector<Prediction> predictions, const Question& question);

nlohmann::ordered_json to_json(const Prediction& prediction, double sweeps);

}  // namespace lockstep::insight
