// PageRank as an application, computed by power iteration along arcs (Verstraaten et al., equation 1): its
// serial references, its checks and its options. The result is the rank of each vertex.
#include "apps/pagerank.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <numeric>

#include "apps/frame/iteration.hpp"

namespace lockstep {

namespace pagerank {

namespace {

/// Throws Error (usage) if a parameter is out of range.
void check_parameters(const Parameters& p) {
    const auto refuse = [](const std::string& message) { throw Error(Failure::usage, message); };
    if (!(p.damping >= 0 && p.damping < 1))
        refuse(fmt::format("the damping must be from 0 to below 1, not {:g}", p.damping));
    if (p.until != 0 && !(p.until >= 1e-7 && p.until <= 1))
        refuse(fmt::format("--until must be from 1e-7 to 1, not {:g}", p.until));
    if (p.until > 0 && p.tolerance > 0)
        refuse("--until and --tolerance are two criteria to stop; give one of them");
    if (p.until > 0 && p.float_sums)
        refuse("--until requires exact sums, because float sums vary from run to run: give --sums exact");
    if (!(p.push_share >= 0 && p.push_share <= 1)) refuse("the share to push must be from 0 to 1");
    if (!(p.tolerance >= 0) || !std::isfinite(p.tolerance)) refuse("the tolerance must not be negative");
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += std::fabs(a[v] - b[v]);
    return sum;
}

/// Returns the maximum relative change of a rank since the ranks in `before`.
double farthest(const std::vector<double>& ranks, const std::vector<double>& before) {
    double most = 0;
    for (std::size_t v = 0; v < ranks.size(); ++v) {
        const double change = std::fabs(ranks[v] - before[v]) / before[v];
        // written as a negation, so that a NaN counts as the largest change
        if (!(change <= most)) most = change;
    }
    return most;
}

/// The values that vertices send in one step. Each vertex divides its value equally among its out-arcs.
struct SentValues {
    std::vector<double> sums;  ///< sum of the values that each vertex receives along its in-arcs
    double dangling = 0;  ///< sum of the values of all vertices without an out-arc, which cannot send them
};
/// Sends the value of each vertex along its out-arcs, in equal parts. O(arcs).
SentValues distribute_values(const Graph& graph, const std::vector<double>& values) {
    SentValues passed{std::vector<double>(values.size())};
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId begin = graph.row_offsets[u], end = graph.row_offsets[u + 1];
        if (begin == end) passed.dangling += values[u];
        const double share = values[u] / static_cast<double>(end - begin);
        for (EdgeId e = begin; e < end; ++e) passed.sums[graph.col[e]] += share;
    }
    return passed;
}

/// Returns the ranks after one more iteration of equation 1.
std::vector<double> reference_step(const Graph& graph, const std::vector<double>& ranks,
                                   const Parameters& p) {
    auto [next, lost] = distribute_values(graph, ranks);
    const double n = graph.rows;
    const double base = (1 - p.damping) / n + (p.dangling == Dangling::spread ? p.damping * lost / n : 0);
    for (double& rank : next) rank = base + p.damping * rank;
    return next;
}

/// Verifies that the ranks add up to 1, with an error of at most `allowed`. Does nothing if the rank of
/// vertices without out-arcs is lost, since the sum is then less than 1.
void check_sum(const Graph& graph, const Parameters& parameters, double allowed, ArcCheck& check) {
    if (check.problem.empty() && graph.rows > 0 && parameters.dangling == Dangling::spread &&
        !(std::fabs(check.sum - 1) <= allowed))
        check.problem = fmt::format("the sum of the ranks is {:.9g}; expected 1", check.sum);
}

}  // namespace

std::vector<double> reference_ranks(const Graph& graph, std::uint64_t rounds, const Parameters& parameters,
                                    const std::function<bool(const Round&)>& on_round) {
    std::vector<double> ranks(graph.rows, graph.rows ? 1.0 / graph.rows : 0);
    for (std::uint64_t round = 0; graph.rows > 0 && round < rounds; ++round) {
        const double start = omp_get_wtime();
        std::vector<double> next = reference_step(graph, ranks, parameters);
        ranks.swap(next);
        const double change = distance(next, ranks);
        if (on_round && !on_round({omp_get_wtime() - start, change, 0})) break;
        if (parameters.tolerance > 0 && change <= parameters.tolerance) break;
        if (parameters.until > 0 && farthest(ranks, next) <= parameters.until) break;
    }
    return ranks;
}

std::vector<double> rounding_bounds(const Graph& graph, std::uint64_t rounds, const Parameters& p) {
    constexpr double unit = 0x1p-24;
    // number of roundings per vertex: one in a term, one in the degree, one each in two operations
    constexpr double own = 4;
    const double n = graph.rows, spread = p.dangling == Dangling::spread ? p.damping / n : 0;
    std::vector<double> in_degree(graph.rows), ranks(graph.rows, 1 / n), off(graph.rows, unit / n);
    for (const VertexId v : graph.col) ++in_degree[v];
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::vector<double> next = reference_step(graph, ranks, p);
        const std::vector<double> whole = distribute_values(graph, ranks).sums;
        const auto [passed, dangling] = distribute_values(graph, off);
        for (VertexId v = 0; v < graph.rows; ++v) {
            const double terms = (in_degree[v] + own) * unit;
            const double rounded = terms < 1 ? terms / (1 - terms) : std::numeric_limits<double>::infinity();
            const double sum = in_degree[v] > 0 ? passed[v] + rounded * (whole[v] + passed[v]) : 0;
            off[v] = p.damping * sum + spread * dangling;
            off[v] += unit * (next[v] + off[v]);
        }
        ranks = next;
    }
    return off;
}

ArcCheck check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                     const Parameters& parameters) {
    const std::vector<double> rounding =
        parameters.float_sums ? rounding_bounds(graph, rounds, parameters) : std::vector<double>();
    ArcCheck check = check_values(
        ranks, reference_ranks(graph, rounds, {parameters.damping, parameters.dangling}), "rank", rounding);
    if (ranks.size() != graph.rows) return check;
    const std::vector<double> given(ranks.begin(), ranks.end());
    check.residual = distance(reference_step(graph, given, parameters), given);
    check_sum(graph, parameters, 1e-6 + check.allowed, check);
    return check;
}

ArcCheck check_stable(const Graph& graph, const std::vector<float>& ranks, const Parameters& parameters) {
    ArcCheck check;
    if (ranks.size() != graph.rows) {
        check.problem = fmt::format("there are {} ranks for {} vertices", ranks.size(), graph.rows);
        return check;
    }
    const std::vector<double> given(ranks.begin(), ranks.end()),
        next = reference_step(graph, given, parameters);
    const double most = parameters.until + 2e-6;
    check.sum = std::accumulate(given.begin(), given.end(), 0.0);
    check.residual = check.distance = distance(given, next);
    check.worst = farthest(next, given);
    if (!(check.worst <= most))
        check.problem = fmt::format(
            "a rank is not stable: another iteration changes it by the relative amount {:.3g}; expected at "
            "most {:g}",
            check.worst, parameters.until);
    check_sum(graph, parameters, most / (1 - parameters.damping), check);
    return check;
}

bool is_stable(const ArcRun& run) {
    return !run.sweeps.empty() && run.sweeps.back().metrics.front().value == 0 && run.status == "ok";
}

Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const Parameters& parameters, const ArcOptions& options, const RunCallbacks& callbacks) {
    check_parameters(parameters);
    const auto reference = [&](const auto& on_round) {
        return reference_ranks(graph, options.rounds, parameters, on_round);
    };
    const auto make = [&](const ArcPlan& plan, const auto& run) {
        return run_operator(strategy, parameters, options.rounds, arcs_of(plan), run);
    };
    const auto metrics = [&](const Round& round) -> Metrics {
        if (parameters.until > 0) {
            const bool pushed = strategy.walk == arc::PullPush::facts &&
                                static_cast<double>(round.active) <=
                                    std::floor(parameters.push_share * static_cast<double>(graph.edges()));
            return {{"changed", static_cast<double>(round.changed)},
                    {"active_arcs", static_cast<double>(round.active)},
                    {"pushed", pushed ? 1.0 : 0.0}};
        }
        return {
            {"change", parameters.tolerance > 0 ? round.change : std::numeric_limits<double>::quiet_NaN()}};
    };
    return run_arcs<Round>(graph, strategy, schedule, options, callbacks, reference, make, metrics);
}

namespace {

/// The parameters of one run, as given by the options.
struct Options : Parameters {
    std::optional<double> given_until;  ///< value of --until; nullopt if the option is not given
};

void list_parameters(Options& own, Fields& basic, Fields& more) {
    list_until(basic, own.given_until);
    basic
        .number("tolerance", own.tolerance, 0, 1e9,
                "stop when consecutive iterations differ by at most this (L1 norm); 0 = never")
        .recorded();
    more.number(
        "push-share", own.push_share, 0, 1,
        "pull-push with --until: push as soon as at most this fraction of the edges carries a change");
    more.word("sums", own.float_sums, {{"exact", false}, {"float", true}},
              "arithmetic of the sums; exact: integers, bitwise identical results with every strategy; "
              "float: 32-bit floats, as in the paper")
        .recorded();
    more.number("damping", own.damping, 0, 1,
                "damping factor: fraction of a vertex's score passed along its edges")
        .recorded();
    more.word("dangling", own.dangling, {{"spread", Dangling::spread}, {"lost", Dangling::lost}},
              "score of the vertices without an out-edge: spread over all vertices (so that the scores "
              "add up to 1), or lost")
        .recorded();
}

CheckResult check_run(const Graph& graph, const std::vector<float>& ranks, const ArcRun& run,
                      const Parameters& parameters) {
    if (parameters.until == 0) return report_check(check_ranks(graph, ranks, run.sweeps.size(), parameters));
    if (is_stable(run)) return report_check(check_stable(graph, ranks, parameters));
    return {"", "nothing: the ranks are not stable yet", {{"stable", false}}};
}

/// Adds the results of a run with --until to its report: whether the ranks are stable, and the first round
/// that pushed changes instead of pulling all messages.
void report_stability(const ArcRun& run, RunReport& report) {
    const auto pushed = std::find_if(run.sweeps.begin(), run.sweeps.end(),
                                     [](const auto& round) { return round.metrics[2].value > 0; });
    const std::int64_t first = pushed == run.sweeps.end() ? 0 : pushed - run.sweeps.begin() + 1;
    report.metrics["stable"] = is_stable(run);
    report.metrics["pushed_from"] = first ? nlohmann::ordered_json(first) : nlohmann::ordered_json(nullptr);
    report.text = is_stable(run) ? "stable" : "not stable yet";
    if (first) report.text += fmt::format(", pushing from iteration {} on", first);
}

std::unique_ptr<Application> make(const Spec& spec) {
    const auto own = std::make_shared<Options>();
    IterationParts parts;
    parts.list = [own](Fields& basic, Fields& more) { list_parameters(*own, basic, more); };
    parts.settle = [own] {
        own->until = own->given_until.value_or(0);
        check_parameters(*own);
        return own->given_until ? 10000 : 30;
    };
    parts.run = [own](const Input& input, const Strategy& strategy, const ArcOptions& options,
                      const RunCallbacks& callbacks) {
        return run_pagerank(input.graph(), strategy, input.schedule(), *own, options, callbacks);
    };
    parts.check = [own](const Graph& graph, const std::vector<float>& ranks, const ArcRun& run) {
        return check_run(graph, ranks, run, *own);
    };
    parts.task_suffix = [own] {
        return std::string(own->float_sums ? "-float" : "") + (own->until > 0 ? "-until" : "");
    };
    parts.parameters = [own] {
        return std::map<std::string, std::string>{{"until", fmt::format("{:g}", own->until)}};
    };
    parts.add_to_report = [own](const ArcRun& run, RunReport& report) {
        if (own->until > 0) report_stability(run, report);
    };
    return make_iteration(spec, std::move(parts));
}

}  // namespace

}  // namespace pagerank

const Spec& pagerank_spec() {
    static const Spec spec{.name = "pagerank",
                           .summary = "PageRank by neighbour iteration (square graphs)",
                           .example = "web.txt.gz --app pagerank --until 0.001 --output ranks.txt --top 10",
                           .strategies = "pagerank",
                           .result = "ranks",
                           .value = "rank",
                           .format = "lockstep-ranks",
                           .outputs = "a file of ranks",
                           .shared = "edge-tiled",
                           .prepared = "edge-tiled",
                           .make = pagerank::make};
    return spec;
}

}  // namespace lockstep
