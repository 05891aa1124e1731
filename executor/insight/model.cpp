#include "insight/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "insight/model_factors.hpp"
#include "lockstep/executor/edge/racing.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::insight {

namespace {

double number(EdgeId n) { return static_cast<double>(n); }

std::string count_text(double n) { return text::grouped(static_cast<EdgeId>(std::llround(n))); }

/// Predicts one strategy. Each of the functions below adds the terms of one walk.
class Model {
public:
    Model(const Strategy& strategy, const Statistics& statistics, const Probe& probe)
        : s_(statistics), p_(probe) {
        prediction_.strategy = strategy.name;
        prediction_.schedule = strategy.schedule ? strategy.schedule : "";
        prediction_.exact = !strategy.races();
        gpu_ = p_.device.kind == "cuda";
        edges_ = number(s_.edges);
        rows_degree_ = number(s_.rows.degrees.largest), cols_degree_ = number(s_.cols.degrees.largest);
        vector_bytes_ = (p_.rank + 3) / 4 * 16.0;
        const double footprint = s_.vertices() * vector_bytes_;
        far_ = footprint > p_.cache_bytes ? 1 - p_.cache_bytes / footprint : 0;
        if (const auto found = s_.schedules.find(prediction_.schedule); found != s_.schedules.end())
            schedule_ = found->second;
        prediction_.in_file = !prediction_.schedule.empty() && schedule_.seconds >= 0;
        if (!prediction_.schedule.empty() && !schedule_.refused.empty()) {
            prediction_.refused = "not possible: " + schedule_.refused;
            return;
        }
        preprocessing();
        if (s_.edges > 0) add_terms(strategy);
    }

    Prediction take() { return std::move(prediction_); }

private:
    void add_terms(const Strategy& strategy) {
        switch (strategy.walk) {
            case Walk::phases:
                rounds(p_.phase_round);
                memory_of_rounds();
                break;
            case Walk::resident:
                if (strategy.edge_locked_first) locked_hubs();
                rounds(p_.resident_round);
                add("blocks", fmt::format("{} blocks of items", count_text(schedule_.blocks)),
                    gpu_ ? schedule_.blocks * p_.barrier : 0);
                memory_of_rounds();
                break;
            case Walk::tasks:
                add("rounds", fmt::format("{} barriers", count_text(schedule_.rounds)),
                    schedule_.rounds * p_.cost("tasks.phase"));
                add("chain",
                    fmt::format("{} edges after one another on the fullest worker of each round",
                                count_text(schedule_.chain)),
                    schedule_.chain * p_.cost("tasks.worker"));
                add("edges", edges_text(), edges_ * p_.cost("tasks.edge"));
                break;
            case Walk::tiled:
                tiles();
                break;
            case Walk::local:
                local_tiles();
                break;
            case Walk::edge_locked:
                edge_locked();
                break;
            case Walk::node_locked:
                node_locked();
                break;
            case Walk::racing:
                racing();
                break;
            case Walk::racing_tiles:
                racing_tiles();
                break;
            default:
                prediction_.refused = "no strategy of SGD";
        }
        add("launch", gpu_ ? "of the kernel" : "of the threads", p_.cost("locked.start"));
    }

    void preprocessing() {
        if (prediction_.schedule.empty()) return;
        if (schedule_.seconds >= 0) {
            prediction_.preprocess = schedule_.seconds;
        } else if (const auto build = p_.build.find(prediction_.schedule); build != p_.build.end()) {
            prediction_.preprocess = edges_ * build->second;
        } else {  // a probe of before there was this schedule: as the dearest of the others
            for (const auto& [ignored, seconds] : p_.build)
                prediction_.preprocess = std::max(prediction_.preprocess, edges_ * seconds);
        }
    }

    /// Every round by what one of its size takes.
    void rounds(const Curve& curve) {
        double seconds = 0;
        for (const auto& [size, count] : schedule_.sizes) seconds += count * curve.at(size);
        add("rounds",
            fmt::format("{} rounds, {} each on average", count_text(schedule_.rounds),
                        text::duration(schedule_.rounds > 0 ? seconds / schedule_.rounds : 0)),
            seconds);
    }
    /// What no cache holds: its bytes, and in rounds of all workers its latency, which is of a barrier's
    /// order.
    void memory_of_rounds() {
        double large = 0;
        for (const auto& [size, count] : schedule_.sizes) large += size >= 512 ? count : 0;
        add("memory", edges_from_memory(), far_ * edges_ * beyond("phases.edge.far", round_slope()));
        add("latency",
            fmt::format("{} of the vectors from memory, in {} rounds", share(far_), count_text(large)),
            far_ * large * p_.barrier);
    }

    /// EL+SGM: the hubs' edges before all others.
    void locked_hubs() {
        if (schedule_.locked <= 0) return;
        add("chain", fmt::format("the hub's {} edges under locks", count_text(cols_degree_)),
            cols_degree_ * p_.cost("locked.chain"));
        add("locked", fmt::format("{} edges of hubs", count_text(schedule_.locked)),
            schedule_.locked * p_.cost("locked.edge.near"));
    }

    void tiles() {
        add("edges", edges_text(), edges_ * p_.cost("tiled.edge"));
        add("hub", fmt::format("{} edges of the largest degree after one another", count_text(s_.largest())),
            s_.largest() * p_.cost("tiled.hub"));
        if (!gpu_) return;
        // Groups of item blocks take turns on the thread blocks.
        const double groups = std::max(1.0, schedule_.blocks / number(p_.device.threads));
        add("steps", fmt::format("{} steps of a thread block", count_text(groups * schedule_.steps)),
            groups * schedule_.steps * p_.block_barrier);
        add("phases", fmt::format("{} flags between neighbours", count_text(groups * schedule_.rounds)),
            groups * schedule_.rounds * p_.barrier);
    }
    /// Bound by its bytes on a GPU; a CPU's cache has them beside the work on the edges.
    void local_tiles() {
        const double bytes = 2 * schedule_.vectors * vector_bytes_ + 12 * edges_;
        add("memory", fmt::format("{} vectors fetched and stored", count_text(schedule_.vectors)),
            bytes / p_.copy_rate);
        if (!gpu_) add("edges", edges_text(), edges_ * round_slope());
        add("chain", fmt::format("{} steps of each phase's longest tile", count_text(schedule_.chain)),
            schedule_.chain * p_.cost("tasks.worker"));
        add("rounds", fmt::format("{} phases", count_text(schedule_.rounds)), schedule_.rounds * p_.barrier);
    }
    void edge_locked() {
        add("chain", fmt::format("the hub's {} edges under locks", count_text(cols_degree_)),
            cols_degree_ * p_.cost("locked.chain"));
        add("row chain", fmt::format("{} edges of one row", count_text(rows_degree_)),
            rows_degree_ * p_.cost("locked.row_chain"));
        add("edges", edges_text(),
            edges_ * (p_.cost("locked.edge.near") +
                      far_ * beyond("locked.edge.far", p_.cost("locked.edge.near"))));
        add("contention",
            fmt::format("chance {:.1e} that two edges meet", contention(s_.rows) + contention(s_.cols)),
            edges_ * waiting((contention(s_.rows) + contention(s_.cols)) / 2));
    }
    void node_locked() {
        add("chain", fmt::format("the largest item's {} edges on one worker", count_text(cols_degree_)),
            cols_degree_ * p_.cost("items.chain"));
        add("row chain", fmt::format("{} edges of one row under its lock", count_text(rows_degree_)),
            rows_degree_ * p_.cost("items.row_chain"));
        add("edges", edges_text(),
            edges_ *
                (p_.cost("items.edge.near") + far_ * beyond("items.edge.far", p_.cost("items.edge.near"))));
        add("items", fmt::format("vectors of {} items", count_text(s_.cols.vertices)),
            s_.cols.vertices * p_.cost("items.edge.near"));
        add("contention", fmt::format("chance {:.1e} that two edges share a row", contention(s_.rows)),
            edges_ * waiting(contention(s_.rows)));
    }
    /// Of two edges that are not the hub's, whose chain counts apart.
    double contention(const Side& side) const {
        const double hub = number(side.degrees.largest) / edges_;
        return std::max(0.0, s_.meeting(side) - hub * hub);
    }
    /// Seconds an edge under locks takes longer than where edges hardly ever meet.
    double waiting(double meeting) const {
        const Curve& c = p_.locked_edge;
        const auto least = std::min_element(c.y.begin(), c.y.end());  // below: vectors from memory, not locks
        if (meeting <= c.x[static_cast<std::size_t>(least - c.y.begin())]) return 0;
        return std::max(0.0, (meeting < c.x.back() ? c.at(meeting) : c.y.back()) - *least);
    }

    void racing() {
        const double edge =
            p_.cost("racing.edge.near") + far_ * beyond("racing.edge.far", p_.cost("racing.edge.near"));
        add("edges", edges_text(), edges_ * edge);
        const double workers = in_flight(std::max(s_.meeting(s_.rows), s_.meeting(s_.cols)));
        if (gpu_)
            add("flight", fmt::format("no more than {} edges in flight", count_text(workers)),
                std::max(0.0, edges_ * (p_.cost("racing.flight") / workers - edge)));
    }
    void racing_tiles() {
        const double edge = p_.cost("blocked.edge.near");
        add("edges", edges_text(), edges_ * edge);
        add("memory", edges_from_memory(),
            far_ * edges_ * beyond("racing.edge.far", p_.cost("racing.edge.near")));
        if (!gpu_) return;
        // As OnDevice<RacingTilesPlan> deals the edges in flight out; the probe had one of each of its
        // blocks.
        const double at_once = number(p_.device.threads), blocks = std::max(1.0, schedule_.blocks);
        const double workers = std::floor(in_flight(s_.meeting(s_.rows)) / (8 * blocks)) + 1;
        const double latency = p_.cost("blocked.flight") / 640 * at_once;
        const double together = workers * std::min(blocks, at_once);
        add("flight", fmt::format("no more than {} edges in flight", count_text(together)),
            std::max(0.0, edges_ * (latency / together - edge)));
        add("hub", fmt::format("{} edges of one item, 100 in flight", count_text(cols_degree_)),
            cols_degree_ * latency / 100);
    }
    /// Of operators that add; without an edge that meets another all of them.
    double in_flight(double meeting) const {
        return meeting > 0 ? number(racing_in_flight(meeting, true)) : edges_;
    }

    double round_slope() const { return p_.phase_round.y.back() / p_.phase_round.x.back(); }
    double beyond(const char* cost, double base) const { return std::max(0.0, p_.cost(cost) - base); }
    static std::string share(double part) { return fmt::format("{:.0f} %", 100 * part); }
    std::string edges_text() const { return count_text(edges_) + " edges"; }
    std::string edges_from_memory() const {
        return fmt::format("{} edges, {} of the vectors from memory", count_text(edges_), share(far_));
    }

    void add(const char* name, std::string how, double seconds) {
        if (!(seconds > 0)) return;
        double factor = 1;
        for (const Factor& f : model_factors) {
            if (gpu_ && prediction_.strategy == f.strategy && std::string_view(name) == f.term)
                factor = f.value;
        }
        prediction_.terms.push_back({name, std::move(how), seconds, factor});
    }

    const Statistics& s_;
    const Probe& p_;
    Prediction prediction_;
    Rounds schedule_;
    bool gpu_;
    double edges_, rows_degree_, cols_degree_, vector_bytes_,
        far_;  // far_: share of the vectors that no cache holds
};

}  // namespace

const Term& Prediction::dominant() const {
    return *std::max_element(terms.begin(), terms.end(),
                             [](const Term& a, const Term& b) { return a.seconds() < b.seconds(); });
}

BuildOptions build_options(const Probe& probe) {
    BuildOptions options;
    options.rank = probe.rank;
    if (probe.device.kind == "cuda") options.multiprocessors = static_cast<VertexId>(probe.device.threads);
    return options;
}

Prediction predict(const Strategy& strategy, const Statistics& statistics, const Probe& probe) {
    return Model(strategy, statistics, probe).take();
}

std::vector<Prediction> predict(const Statistics& statistics, const Probe& probe) {
    std::vector<Prediction> all;
    for (const Strategy& strategy : strategies("sgd")) all.push_back(predict(strategy, statistics, probe));
    return all;
}

}  // namespace lockstep::insight
