// Ranks the strategies for a graph by their predicted total time, explains the ranking, and finds the numbers
// of sweeps at which another strategy becomes the fastest.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "insight/model.hpp"

namespace lockstep::insight {

struct RecommendationRequest {
    double sweeps = 20;
    bool racing = false;  ///< whether strategies that lose updates, or apply them late, may be recommended
    /// Whether only strategies whose schedule is already in the file may be recommended. The time of building
    /// schedules then does not count.
    bool from_file = false;
};

struct BreakEven {
    std::string strategy, against;
    /// Number of sweeps from which `strategy` is faster than `against`, including the times of building the
    /// schedule and loading.
    double sweeps;
};

struct Recommendation {
    /// Predictions of all strategies: first those that may be recommended, by total time; last those that
    /// cannot run.
    std::vector<Prediction> ranked;
    /// Number of strategies that may be recommended, which are the first ones of `ranked`.
    std::size_t eligible = 0;
    /// The numbers of sweeps at which another strategy becomes the fastest, ascending.
    std::vector<BreakEven> break_even;
    std::string reason;  ///< explanation of the recommendation in one sentence
};

/// Ranks the strategies by their predicted total time: building the schedule (unless it is in the file),
/// loading, and sweeps. Throws Error if no strategy may be recommended.
Recommendation recommend(const Statistics& statistics, const Probe& probe,
                         const RecommendationRequest& question);
/// Ranks given predictions, such as predictions whose terms were replaced by measured times.
Recommendation rank(std::vector<Prediction> predictions, const RecommendationRequest& question);

nlohmann::ordered_json to_json(const Prediction& prediction, double sweeps);

}  // namespace lockstep::insight
