#include "insight/measure/trials.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "apps/sgd/backend.hpp"
#include "insight/build_options.hpp"
#include "insight/measure/plans.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep::insight {

namespace {

/// An SGD backend with a synthetic plan and factors in the memory of a device, ready to run sweeps.
class BenchmarkBackend {
public:
    BenchmarkBackend(const EdgePlan& plan, std::uint32_t rank, Device device, int threads)
        : problem_{plan, none_, rank, -std::numeric_limits<float>::infinity(), sgd::Storage::fp32} {
        const std::size_t stride = sgd::stride_of(rank);
        const sgd::Factors start{Array<float>(plan.rows * stride, 0.1F),
                                 Array<float>(plan.cols * stride, 0.1F)};
        backend_ = device == Device::cuda ? sgd::make_cuda_backend(problem_, start)
                                          : sgd::make_cpu_backend(problem_, start, threads);
    }
    sgd::Backend* operator->() const { return backend_.get(); }

private:
    const std::vector<Triple> none_;
    const sgd::Problem problem_;
    std::unique_ptr<sgd::Backend> backend_;
};

}  // namespace

double sweep_seconds(const EdgePlan& plan, std::uint32_t rank, Device device, int threads, bool quick) {
    const BenchmarkBackend backend(plan, rank, device, threads);
    double best = INFINITY, once = 0, all = 0;
    // Short sweeps are repeated more often, since other programs on the machine affect their times the most.
    const double least = quick ? 0 : 0.2;
    for (int i = 0; i < 4 || (all < least && i < 60); ++i) {
        backend->sweep({1e-3F, 1.0F}, &once);
        if (i > 0) best = std::min(best, once);
        all += once;
    }
    return best;
}

namespace {

constexpr VertexId near_side = 1U << 15;

class Trials {
public:
    Trials(Probe& probe, Device device, int threads, bool quick)
        : p_(probe), device_(device), threads_(threads), quick_(quick) {
        const double vector = 4.0 * static_cast<double>(sgd::stride_of(p_.rank));
        far_side_ = near_side;
        while (!quick && far_side_ * vector < 2.5 * p_.cache_bytes && far_side_ < (1U << 23)) far_side_ *= 2;
        options_.rank = p_.rank;
        if (device == Device::cuda) options_.multiprocessors = static_cast<VertexId>(p_.device.threads);
    }

    void run() {
        rounds();
        tasks();
        locks();
        racing();
        tiles();
        builds();
    }

private:
    double seconds(const EdgePlan& plan) { return sweep_seconds(plan, p_.rank, device_, threads_, quick_); }
    EdgeId scaled(EdgeId edges) const { return quick_ ? edges / 8 : edges; }
    void set(const std::string& name, double seconds) { p_.costs[name] = std::max(seconds, 1e-13); }
    /// Returns the additional time per unit, (b - a) / n, from the times a and b of two runs whose sizes
    /// differ by n units. The result is at least a tenth of b / n, because noise may make the difference too
    /// small.
    static double growth(double a, double b, double n) { return std::max(b - a, b / 10) / n; }

    void rounds() {
        for (const EdgeId size : {1, 2, 4, 16, 64, 256, 500, 640, 2048, 8192, 32768}) {
            const EdgeId count = std::clamp<EdgeId>((EdgeId{1} << 19) / size, 8, 2000);
            const double none = seconds(rounds_plan(8, size, near_side, near_side));
            const double all = seconds(rounds_plan(count + 8, size, near_side, near_side));
            p_.phase_round.x.push_back(static_cast<double>(size));
            p_.phase_round.y.push_back(growth(none, all, static_cast<double>(count)));
        }
        const auto slots =
            static_cast<VertexId>(std::bit_floor(p_.rank <= 16 ? 16384U : 16384U * 16 / p_.rank));
        for (EdgeId size = 1; size <= slots; size *= 4) {
            const EdgeId count = std::clamp<EdgeId>((EdgeId{1} << 19) / size, 8, 2000);
            const double none = seconds(resident_plan(8, size, near_side, slots));
            const double all = seconds(resident_plan(count + 8, size, near_side, slots));
            p_.resident_round.x.push_back(static_cast<double>(size));
            p_.resident_round.y.push_back(growth(none, all, static_cast<double>(count)));
        }
        const EdgeId near_edges = 16 * EdgeId{near_side};
        set("phases.edge.near",
            seconds(rounds_plan(16, near_side, near_side, near_side)) / static_cast<double>(near_edges));
        set("phases.edge.far", seconds(rounds_plan(1, far_side_, far_side_, far_side_)) / far_side_);
    }

    void tasks() {
        const double few = seconds(make_tasks_plan(1, 64, 1)), many = seconds(make_tasks_plan(501, 64, 1));
        set("tasks.phase", growth(few, many, 500));
        constexpr EdgeId edges = 512;
        set("tasks.worker", seconds(make_tasks_plan(1, 1, edges)) / edges);
        set("tasks.edge", seconds(make_tasks_plan(1, 512, edges)) / (512 * edges));
    }

    void locks() {
        constexpr EdgeId chain = 4096;
        const EdgeId edges = scaled(1U << 20);
        for (const auto& [name, facts] :
             {std::pair{"locked", EdgeLockedPlan::facts}, std::pair{"items", NodeLockedPlan::facts}}) {
            const std::string prefix = name;
            const Walk walk = facts;
            const auto time = [&](EdgeId count, VertexId rows, VertexId cols, auto ends) {
                return seconds(online_plan(walk, count, rows, cols, ends));
            };
            using Ends = std::pair<VertexId, VertexId>;
            const double start = time(64, near_side, near_side, [](EdgeId i) {
                return Ends{static_cast<VertexId>(i), static_cast<VertexId>(i)};
            });
            set(prefix + ".start", start);
            set(prefix + ".chain", growth(start,
                                          time(chain, near_side, near_side,
                                               [](EdgeId i) {
                                                   return Ends{static_cast<VertexId>(i), 0};
                                               }),
                                          chain));
            set(prefix + ".row_chain", growth(start,
                                              time(chain, near_side, near_side,
                                                   [](EdgeId i) {
                                                       return Ends{0, static_cast<VertexId>(i)};
                                                   }),
                                              chain));
            // The rows are a permutation, and the columns are cyclic (by edge) or ascending (by item), so
            // edges that are processed concurrently hardly ever share a vertex.
            for (const auto& [place, side] :
                 {std::pair{".edge.near", near_side * 4}, std::pair{".edge.far", far_side_}}) {
                const EdgeId count = std::max<EdgeId>(edges, 2 * EdgeId{side});
                const auto per_item = count / side;
                set(prefix + place,
                    growth(start,
                           time(count, side, side,
                                [&, side = side](EdgeId i) {
                                    return Ends{scatter_position(i, side),
                                                static_cast<VertexId>(
                                                    walk == NodeLockedPlan::facts ? i / per_item : i % side)};
                                }),
                           static_cast<double>(count)));
            }
        }
        // Both endpoints are random, so the probability that two edges share a row, or a column, is 1 / side.
        for (VertexId side = 1U << 20; side >= 1U << 8; side /= 4) {
            const auto time = seconds(online_plan(EdgeLockedPlan::facts, edges, side, side, [&](EdgeId i) {
                return std::pair{mix_bits(2 * i) & (side - 1), mix_bits(2 * i + 1) & (side - 1)};
            }));
            p_.locked_edge.x.push_back(1.0 / side);
            p_.locked_edge.y.push_back(time / static_cast<double>(edges));
        }
    }

    void racing() {
        const auto random = [](VertexId side) {
            return [side](EdgeId i) {
                return std::pair{mix_bits(2 * i) & (side - 1), mix_bits(2 * i + 1) & (side - 1)};
            };
        };
        const EdgeId edges = scaled(1U << 21);
        const auto each = static_cast<double>(edges);
        EdgePlan near =
            online_plan(RacingPlan::facts, edges, near_side * 4, near_side * 4, random(near_side * 4));
        set("racing.edge.near", seconds(near) / each);
        set("racing.edge.far",
            seconds(online_plan(RacingPlan::facts, edges, far_side_, far_side_, random(far_side_))) / each);
        constexpr EdgeId in_flight = 640;
        std::get<RacingPlan>(near.walk).workers = in_flight;
        set("racing.flight", seconds(near) / each * in_flight);

        const Graph graph = ratings(near_side * 2, near_side, edges, 0);
        const Schedule blocked = build_blocked(graph, options_);
        EdgePlan tiles = make_plan(graph, find_strategy("hogwild-blocked"), &blocked);
        auto& workers = std::get<RacingTilesPlan>(tiles.walk).workers;
        workers = ~EdgeId{0} >> 8;
        const auto count = static_cast<double>(tiles.edges());
        set("blocked.edge.near", seconds(tiles) / count);
        workers = in_flight;
        set("blocked.flight", seconds(tiles) / count * in_flight);
    }

    void tiles() {
        const auto time = [&](const Graph& graph) {
            const Schedule schedule = build_tiled(graph, options_);
            return seconds(make_plan(graph, find_strategy("tiled"), &schedule));
        };
        constexpr VertexId users = 1U << 16, items = 1U << 14;
        const Graph small = ratings(users, items, scaled(1U << 20), 0),
                    large = ratings(users, items, scaled(1U << 22), 0),
                    hub = ratings(users, items, scaled(1U << 20) + 40000, 40000);
        const double a = time(small), b = time(large), c = time(hub);
        set("tiled.edge", growth(a, b, static_cast<double>(large.edges() - small.edges())));
        set("tiled.start", a - static_cast<double>(small.edges()) * p_.cost("tiled.edge"));
        set("tiled.hub", growth(a, c, 40000));
    }

    /// Measures the times of building schedules and of loading plans. Two graphs are measured, one eight
    /// times as large as the other, so that each time can be split into a constant part and a part per edge.
    void builds() {
        const auto graphs = [&](EdgeId edges) {
            return std::pair(ratings(1U << 17, 1U << 15, edges, 1U << 12),
                             road(static_cast<VertexId>(edges / 2)));
        };
        const auto small = graphs(scaled(static_cast<EdgeId>(SecondsByEdges::smaller))),
                   large = graphs(scaled(1U << 21));
        const auto [some, all] =
            std::pair(built(small.first, small.second), built(large.first, large.second));
        for (auto seconds : {&ScheduleTimes::build, &ScheduleTimes::load}) {
            for (const auto& [name, of_all] : all.*seconds) {
                const auto found = (some.*seconds).find(name);
                if (found == (some.*seconds).end()) continue;
                const double edge =
                    growth(found->second.seconds, of_all.seconds, of_all.edges - found->second.edges);
                (seconds == &ScheduleTimes::build ? p_.build : p_.load)[name] = {
                    std::max(0.0, found->second.seconds - edge * found->second.edges), edge};
            }
        }
    }

    struct TimedRun {
        double edges, seconds;
    };
    struct ScheduleTimes {
        /// Building time of each schedule, and loading time of each strategy.
        std::map<std::string, TimedRun> build, load;
    };
    ScheduleTimes built(const Graph& skewed, const Graph& local) {
        ScheduleTimes found;
        for (const Builder& builder : builders()) {
            // METIS is a partitioner, not a builder of schedules for SGD
            if (std::string(builder.name) == "metis") continue;
            const Graph& graph = builder.refusal ? local : skewed;
            const double start = omp_get_wtime();
            const Schedule schedule = builder.build(graph, options_);
            found.build[builder.name] = {static_cast<double>(graph.edges()), omp_get_wtime() - start};
            add_loads(found, graph, &schedule);
        }
        add_loads(found, skewed, nullptr);
        return found;
    }

    /// Measures the loading time of each strategy that uses this schedule, or that uses none if `schedule` is
    /// null. The result is the shorter of two times, because the first loading also allocates memory.
    void add_loads(ScheduleTimes& found, const Graph& graph, const Schedule* schedule) {
        for (const Strategy& strategy : strategies()) {
            const std::string wanted = strategy.schedule ? strategy.schedule : "";
            if (wanted != (schedule ? schedule->name : "") || visits_neighbours(strategy.walk)) continue;
            double best = INFINITY;
            try {
                for (int i = 0; i < 2; ++i) {
                    const double start = omp_get_wtime();
                    const EdgePlan plan = make_plan(graph, strategy, schedule);
                    const BenchmarkBackend ready(plan, p_.rank, device_, threads_);
                    best = std::min(best, omp_get_wtime() - start);
                }
            } catch (const ScheduleError&) {  // the strategy does not support this device
                continue;
            }
            found.load[strategy.name] = {static_cast<double>(graph.edges()), best};
        }
    }

    Probe& p_;
    Device device_;
    int threads_;
    bool quick_;
    VertexId far_side_;
    BuildOptions options_ = default_build_options();
};

}  // namespace

void run_trials(Probe& probe, Device device, int threads, bool quick) {
    Trials(probe, device, threads, quick).run();
}

}  // namespace lockstep::insight
