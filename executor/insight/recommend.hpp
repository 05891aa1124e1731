// The strategies ranked, with the reason and the sweeps after which one overtakes another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "insight/model.hpp"

namespace lockstep::insight {

struct Question {
    double sweeps = 20;
    bool racing = false;     ///< whether strategies that lose updates, or add them late, may be recommended
    bool from_file = false;  ///< only what the file has a schedule for; what is in it costs nothing more
};

struct BreakEven {
    std::string strategy, against;
    double sweeps;  ///< from this sweep on `strategy` is ahead, with all that comes before its first
};

struct Recommendation {
    std::vector<Prediction>
        ranked;                ///< by total time, those that may be recommended first, refused ones last
    std::size_t eligible = 0;  ///< how many of them may be recommended
    std::vector<BreakEven> break_even;  ///< where more sweeps would change the first place, in order
    std::string reason;                 ///< one sentence
};

/// Ranks by preprocessing, where it is still to be done, loading and sweeps. Throws Error where no strategy may be recommended.
Recommendation recommend(const Statistics& statistics, const Probe& probe, const Question& question);
/// The same from predictions that were corrected by measurement.
Recommendation rank(std::vector<Prediction> predictions, const Question& question);

nlohmann::ordered_json to_json(const Prediction& prediction, double sweeps);

}  // namespace lockstep::insight
