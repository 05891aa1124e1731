#include "insight/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "insight/cache.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::insight {

namespace {

double number(EdgeId n) { return static_cast<double>(n); }

/// Returns the correction factors of the terms: those of the probe, otherwise those of the H200 for any GPU,
/// and none for a CPU.
const Factors& factors_of(const Probe& probe) {
    if (probe.factors) return *probe.factors;
    static const Factors none;
    if (probe.device.kind != "cuda") return none;
    static const Factors fitted = *built_in_class("h200")->factors;
    return fitted;
}

/// Predicts the time of a sweep under one strategy. The plan type of each walk has a static function `terms`,
/// which adds the terms of this walk with the members under "Members for the walks".
class Model {
public:
    Model(const Strategy& strategy, const Statistics& statistics, const Probe& measured)
        : graph(statistics), probe(measured), factors_(factors_of(measured)) {
        prediction_.strategy = strategy.name;
        prediction_.schedule = strategy.schedule ? strategy.schedule : "";
        prediction_.exact = !strategy.races();
        gpu = probe.device.kind == "cuda";
        edges = number(graph.edges);
        rows_degree = number(graph.rows.degrees.largest), cols_degree = number(graph.cols.degrees.largest);
        const std::uint32_t chunks = (probe.rank + 3) / 4;
        vector_bytes = 16.0 * chunks;
        const double footprint = graph.vertices() * vector_bytes;
        far = footprint > probe.cache_bytes ? 1 - probe.cache_bytes / footprint : 0;
        if (const auto found = graph.schedules.find(prediction_.schedule); found != graph.schedules.end())
            schedule = found->second;
        prediction_.in_file = !prediction_.schedule.empty() && schedule.seconds >= 0;
        add_preprocessing();
        if (!prediction_.schedule.empty() && !schedule.refused.empty()) {
            prediction_.refused = "not possible: " + schedule.refused;
            return;
        }
        if (probe.factors && !factors_.contains(prediction_.strategy)) {
            prediction_.refused = "the probe has no figures for this strategy";
            return;
        }
        if (graph.edges == 0) return;
        if (const auto load = probe.load.find(prediction_.strategy); load != probe.load.end())
            prediction_.load = load->second.at(edges);
        bool known = false;
        WalksOf<EdgeWalk>::call(strategy.walk, [&]<class Plan>(std::type_identity<Plan>) {
            if constexpr (requires { Plan::terms(*this); }) Plan::terms(*this), known = true;
        });
        if (!known) {
            prediction_.refused = fmt::format("the cost model does not support {}", strategy.name);
            return;
        }
        add("launch", gpu ? "launch of the kernel" : "start of the threads", cost("locked.start"));
    }

    Prediction take() { return std::move(prediction_); }

    // Members for the walks, which add their terms with them:
    const Statistics& graph;
    const Probe& probe;
    Rounds schedule;
    bool gpu;
    /// Number of edges, and the largest degree among rows and among columns.
    double edges, rows_degree, cols_degree;
    double vector_bytes;
    double far;  ///< share of the vectors that do not fit in the cache

    void add(const char* name, std::string how, double seconds) {
        if (!(seconds > 0)) return;
        double factor = 1;
        if (const auto found = factors_.find(prediction_.strategy); found != factors_.end()) {
            const auto of_term = found->second.find(name);
            if (of_term != found->second.end()) factor = of_term->second;
        }
        prediction_.terms.push_back({name, std::move(how), seconds, factor});
    }
    /// Adds the time of all rounds of the schedule. `curve` returns the time of a round by its number of
    /// edges.
    void add_rounds(const Curve& curve) {
        double seconds = 0;
        for (const auto& [size, count] : schedule.sizes) seconds += count * curve.at(size);
        add("rounds",
            fmt::format("{} rounds, {} each on average", count(schedule.rounds),
                        text::duration(schedule.rounds > 0 ? seconds / schedule.rounds : 0)),
            seconds);
    }
    /// Adds the time of accesses to vectors that are not in the cache: the time to transfer them and, for
    /// rounds that all workers share, a latency of about one barrier per round.
    void add_memory_of_rounds() {
        double large = 0;
        for (const auto& [size, count] : schedule.sizes) large += size >= 512 ? count : 0;
        add("memory", edges_from_memory(), far * edges * beyond("phases.edge.far", round_slope()));
        add("latency", fmt::format("{} of the vectors from memory, in {} rounds", far_text(), count(large)),
            far * large * probe.barrier);
    }

    double cost(const char* name) const { return probe.cost(name); }
    double beyond(const char* name, double base) const { return std::max(0.0, cost(name) - base); }
    /// Returns the time of an edge in seconds, from two costs by name: `near` is for vectors in the cache,
    /// and `from_far` for vectors in memory.
    double from_memory(const char* near, const char* from_far) const {
        return cost(near) + far * beyond(from_far, cost(near));
    }
    double round_slope() const { return probe.phase_round.y.back() / probe.phase_round.x.back(); }
    double threads() const { return number(probe.device.threads); }
    /// Returns the probability that two random edges share a vertex of this side. The largest hub is
    /// excluded, because the chain of its updates is a term of its own.
    double contention(const Side& side) const {
        const double hub = number(side.degrees.largest) / edges;
        return std::max(0.0, graph.conflict_probability(side) - hub * hub);
    }
    /// Returns the additional time per edge in seconds that waiting for locks takes. `meeting` is the
    /// probability that two random edges share a vertex.
    double waiting(double meeting) const {
        const Curve& c = probe.locked_edge;
        // Below the probability with the minimum time, measured times grow because vectors are in memory, not
        // because of locks.
        const auto least = std::min_element(c.y.begin(), c.y.end());
        if (meeting <= c.x[static_cast<std::size_t>(least - c.y.begin())]) return 0;
        return std::max(0.0, (meeting < c.x.back() ? c.at(meeting) : c.y.back()) - *least);
    }
    /// Returns the number of edges that may be updated concurrently without locks if updates are added
    /// atomically; all edges if no two edges share a vertex.
    double in_flight(double meeting) const {
        return meeting > 0 ? number(racing_in_flight(meeting, true)) : edges;
    }

    static std::string count(double n) { return text::group_digits(static_cast<EdgeId>(std::llround(n))); }
    static std::string chance(double p) { return fmt::format("probability {:.1e}", p); }
    std::string edges_text() const { return count(edges) + " edges"; }
    std::string edges_from_memory() const {
        return fmt::format("{} edges, {} of the vectors from memory", count(edges), far_text());
    }

private:
    std::string far_text() const { return fmt::format("{:.0f} %", 100 * far); }

    void add_preprocessing() {
        if (prediction_.schedule.empty()) return;
        if (schedule.seconds >= 0) {
            prediction_.preprocess = schedule.seconds;
        } else if (const auto build = probe.build.find(prediction_.schedule); build != probe.build.end()) {
            prediction_.preprocess = build->second.at(edges);
            // the probe is older than the schedule's builder: assumes the most expensive building time of the
            // others
        } else {
            for (const auto& [ignored, seconds] : probe.build)
                prediction_.preprocess = std::max(prediction_.preprocess, seconds.at(edges));
        }
    }

    const Factors& factors_;
    Prediction prediction_;
};

}  // namespace

const Term& Prediction::dominant() const {
    return *std::max_element(terms.begin(), terms.end(),
                             [](const Term& a, const Term& b) { return a.seconds() < b.seconds(); });
}

Prediction predict(const Strategy& strategy, const Statistics& statistics, const Probe& probe) {
    return Model(strategy, statistics, probe).take();
}

std::vector<Prediction> predict(const Statistics& statistics, const Probe& probe) {
    std::vector<Prediction> all;
    for (const Strategy& strategy : strategies()) all.push_back(predict(strategy, statistics, probe));
    return all;
}

}  // namespace lockstep::insight
