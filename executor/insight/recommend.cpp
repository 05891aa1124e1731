#include "insight/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lockstep/formats/text.hpp"

namespace lockstep::insight {

namespace {

bool eligible(const Prediction& p, const RecommendationRequest& q) {
    return p.refused.empty() && (p.exact || q.racing) && (!q.from_file || p.schedule.empty() || p.in_file);
}

double cost(const Prediction& p, const RecommendationRequest& q) {
    return q.from_file ? p.kept(q.sweeps) : p.total(q.sweeps);
}

/// Returns the numbers of sweeps at which another strategy becomes the fastest. The cost of a strategy is the
/// line cost(0) + n x sweep over the number of sweeps n; the results are the vertices of the lower envelope
/// of all lines.
std::vector<BreakEven> overtakings(const std::vector<Prediction>& candidates, RecommendationRequest q) {
    std::vector<BreakEven> points;
    q.sweeps = 0;
    const auto before = [&](const Prediction& p) { return cost(p, q); };
    const auto first =
        std::min_element(candidates.begin(), candidates.end(), [&](const Prediction& a, const Prediction& b) {
            return std::pair(before(a), a.sweep()) < std::pair(before(b), b.sweep());
        });
    const Prediction* now = first == candidates.end() ? nullptr : &*first;
    while (now) {
        const Prediction* next = nullptr;
        double at = INFINITY;
        for (const Prediction& other : candidates) {
            if (other.sweep() >= now->sweep()) continue;
            const double sweeps =
                std::max(0.0, (before(other) - before(*now)) / (now->sweep() - other.sweep()));
            if (sweeps < at || (sweeps == at && next && other.sweep() < next->sweep()))
                at = sweeps, next = &other;
        }
        if (next) points.push_back({next->strategy, now->strategy, std::ceil(at)});
        now = next;
    }
    return points;
}

/// Returns an explanation of a prediction: "most of it rounds (251 rounds, …)", or "as measured".
std::string explain_prediction(const Prediction& p) {
    if (p.measured) return "as measured";
    return fmt::format("mostly {} ({})", p.dominant().name, p.dominant().how);
}

std::string reason_of(const std::vector<Prediction>& ranked, std::size_t eligible,
                      const RecommendationRequest& q) {
    const Prediction& best = ranked.front();
    if (best.terms.empty()) return best.strategy + ": the graph has no edges.";
    const std::string text = fmt::format("{}: a sweep takes about {}, {}", best.strategy,
                                         text::duration(best.sweep()), explain_prediction(best));
    if (eligible < 2) return text + ".";
    const Prediction& second = ranked[1];
    return text + fmt::format("; {} sweeps{} are {:.2f} times as fast as with {}, {}.", q.sweeps,
                              q.from_file ? " with loading" : " with preprocessing and loading",
                              cost(second, q) / std::max(cost(best, q), 1e-12), second.strategy,
                              explain_prediction(second));
}

}  // namespace

Recommendation rank(std::vector<Prediction> predictions, const RecommendationRequest& q) {
    Recommendation r;
    std::stable_sort(predictions.begin(), predictions.end(), [&](const Prediction& a, const Prediction& b) {
        const auto key = [&](const Prediction& p) {
            return std::tuple(!eligible(p, q), !p.refused.empty(), cost(p, q));
        };
        return key(a) < key(b);
    });
    r.eligible = static_cast<std::size_t>(std::count_if(predictions.begin(), predictions.end(),
                                                        [&](const Prediction& p) { return eligible(p, q); }));
    if (r.eligible == 0) throw Error("no strategy can run this graph on this device");
    r.ranked = std::move(predictions);
    r.break_even =
        overtakings({r.ranked.begin(), r.ranked.begin() + static_cast<std::ptrdiff_t>(r.eligible)}, q);
    r.reason = reason_of(r.ranked, r.eligible, q);
    return r;
}

Recommendation recommend(const Statistics& statistics, const Probe& probe,
                         const RecommendationRequest& question) {
    return rank(predict(statistics, probe), question);
}

nlohmann::ordered_json to_json(const Prediction& p, double sweeps) {
    nlohmann::ordered_json terms = nlohmann::ordered_json::array();
    for (const Term& t : p.terms)
        terms.push_back({{"name", t.name},
                         {"how", t.how},
                         {"seconds", t.seconds()},
                         {"raw", t.raw},
                         {"factor", t.factor}});
    // A strategy that cannot run has the time null in the JSON, as opposed to a time of 0.
    const bool possible = p.refused.empty() || !p.terms.empty();
    const auto number = [&](double seconds) {
        return possible ? nlohmann::ordered_json(seconds) : nlohmann::ordered_json();
    };
    return {{"strategy", p.strategy},
            {"schedule", p.schedule},
            {"in_file", p.in_file},
            {"exact", p.exact},
            {"refused", p.refused.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(p.refused)},
            {"seconds",
             {{"preprocess", number(p.preprocess)},
              {"load", number(p.load)},
              {"sweep", number(p.sweep())},
              {"execute", number(sweeps * p.sweep())},
              {"total", number(p.total(sweeps))}}},
            {"terms", terms}};
}

}  // namespace lockstep::insight
