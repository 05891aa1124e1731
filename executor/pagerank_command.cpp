// lockstep-execute --app pagerank: from a schedule file to ranks by original id.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <numeric>

#include "apps/pagerank/reference.hpp"
#include "apps/pagerank/work_model.hpp"
#include "command.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/rank_file.hpp"
#include "output_file.hpp"

namespace lockstep {

namespace {

using namespace pagerank;

Choice chosen_strategy(const ExecuteRequest& request) {
    if (request.strategy != "auto") return {&find_strategy(request.strategy, request.app), ""};
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    return choose(file.max_degree, file.rows, file.edges, [&](const std::string& name) {
        return !request.order && std::any_of(file.schedules.begin(), file.schedules.end(),
                                             [&](const ScheduleSummary& s) { return s.name == name; });
    });
}

/// The vertices of the highest rank, the first of equal ones first.
std::vector<VertexId> top_vertices(const std::vector<float>& ranks, std::uint64_t count) {
    std::vector<VertexId> vertices(ranks.size());
    std::iota(vertices.begin(), vertices.end(), VertexId{0});
    const auto end =
        vertices.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, ranks.size()));
    std::partial_sort(vertices.begin(), end, vertices.end(), [&](VertexId a, VertexId b) {
        return ranks[a] > ranks[b] || (ranks[a] == ranks[b] && a < b);
    });
    vertices.erase(end, vertices.end());
    return vertices;
}

void write_ranks(const std::string& path, const Command& command, const Outcome& outcome) {
    const IdMap& ids = command.file.dataset.row_ids;
    if (path.ends_with(".h5")) {
        RankFile file{outcome.values, ids, command.header.graph_hash, command.header.parameters};
        file.parameters["strategy"] = command.header.strategy;
        file.parameters["iterations"] = std::to_string(outcome.rounds.size());
        write_ranks(path, file);
        return;
    }
    cli::OutputFile file(path);
    for (VertexId v = 0; v < outcome.values.size(); ++v)
        file.write(fmt::format("{} {:.9g}\n", ids.name(v), outcome.values[v]));
    file.commit();
}

void describe(Command& command, const ExecuteRequest& request, const Outcome& outcome,
              const std::string& reason) {
    const PageRankOptions& o = request.pagerank;
    RunHeader& h = command.header;
    h.train_edges = command.graph().edges();
    h.parameters = {{"damping", fmt::format("{:g}", o.damping)},
                    {"tolerance", fmt::format("{:g}", o.tolerance)},
                    {"dangling", o.dangling == Dangling::spread ? "spread" : "lost"}};
    if (command.strategy.virtual_warps) {
        h.parameters["warp_size"] = std::to_string(outcome.warps.width);
        h.parameters["chunk"] = std::to_string(outcome.warps.chunk);
    }
    if (!reason.empty()) h.parameters["chosen_for"] = reason;
}

nlohmann::ordered_json to_json(const Command& command, const Outcome& outcome, const Work& work,
                               const std::optional<Check>& check) {
    nlohmann::ordered_json rounds = nlohmann::ordered_json::array();
    for (const Round& r : outcome.rounds)
        rounds.push_back(
            {{"seconds", r.seconds},
             {"change", command.request.pagerank.tolerance > 0 ? number_or_null(r.change) : nullptr}});
    nlohmann::ordered_json json = command.json();
    if (command.request.pagerank.repeats > 1 &&
        command.header.device.kind == "cuda")  // somebody is measuring
        json["device"]["copy_bytes_per_second"] = cuda_copy_rate();
    json.update(
        {{"status", command.end.status},
         {"result_hash", command.end.result_hash},
         {"iterations", outcome.rounds.size()},
         {"repeats", command.request.pagerank.repeats},
         {"edges", command.header.edges},
         {"updates_per_second", command.end.updates_per_second},
         {"seconds", command.seconds_json()},
         {"work",
          {{"reads", work.reads}, {"writes", work.writes}, {"atomics", work.atomics}, {"bytes", work.bytes}}},
         {"parameters", command.header.parameters},
         {"rounds", rounds}});
    if (check) {
        json["check"] = {{"ok", check->problem.empty()},
                         {"distance", number_or_null(check->distance)},
                         {"worst", number_or_null(check->worst)},
                         {"sum", check->sum},
                         {"residual", check->residual}};
    }
    if (command.request.top) {
        json["top"] = nlohmann::ordered_json::array();
        for (const VertexId v : top_vertices(outcome.values, command.request.top))
            json["top"].push_back(
                {{"id", command.file.dataset.row_ids.name(v)}, {"rank", outcome.values[v]}});
    }
    return json;
}

void print_text(const Command& command, const Outcome& outcome, const Work& work,
                const std::optional<Check>& check) {
    const auto print_top = [&] {
        for (const VertexId v : top_vertices(outcome.values, command.request.top))
            std::cout << fmt::format("{} {:.9g}\n", command.file.dataset.row_ids.name(v), outcome.values[v]);
    };
    if (command.common.quiet) return print_top();
    const auto millions = [](EdgeId count) { return static_cast<double>(count) / 1e6; };
    std::cout << fmt::format("{}: {} iterations in {} ({:.1f} M edges/s), ranks {}\n", command.strategy.name,
                             outcome.rounds.size(), cli::duration(outcome.execute_seconds),
                             command.end.updates_per_second / 1e6, outcome.result_hash);
    std::cout << fmt::format(
        "work of an iteration, by the model: {:.2f} M reads, {:.2f} M writes, {:.2f} M atomics\n",
        millions(work.reads), millions(work.writes), millions(work.atomics));
    if (check && check->problem.empty())
        std::cout << fmt::format(
            "proved: off by {:.2g} of the sum, {:.2g} at one vertex; sum {:.9f}, residual {:.2g}\n",
            check->distance, check->worst, check->sum, check->residual);
    print_top();
}

}  // namespace

int execute_pagerank(const ExecuteRequest& request, const cli::Common& common) {
    pagerank::check_options(request.pagerank);
    const Choice choice = chosen_strategy(request);
    Command command(request, common, *choice.strategy);
    if (!choice.reason.empty())
        cli::note(common, fmt::format("strategy {}: {}", choice.strategy->name, choice.reason));

    pagerank::Callbacks callbacks;
    callbacks.on_start = [&](const Outcome& started) {
        describe(command, request, started, choice.reason);
        command.start(started.device, started.device_note, started.device_bytes,
                      fmt::format("{} vertices, {} edges", cli::grouped(command.graph().rows),
                                  cli::grouped(command.graph().edges())));
    };
    callbacks.on_round = [&](std::uint64_t round, const Round& r) {
        SweepRecord record;
        record.sweep = round;
        record.seconds = r.seconds;
        record.rmse_train = std::numeric_limits<double>::quiet_NaN();
        record.updates = command.graph().edges();
        command.sweep(record);
        if (common.verbose)
            cli::note(common, fmt::format("iteration {}: {}", round, cli::duration(r.seconds)));
    };
    callbacks.interrupted = [] { return cli::pending_signal() != 0; };
    const Outcome outcome =
        run_pagerank(command.graph(), command.strategy, command.schedule_data(), request.pagerank, callbacks);

    std::optional<Check> check;
    cli::Stopwatch checking;
    if (request.verify)
        check = check_ranks(command.graph(), outcome.values, outcome.rounds.size(), request.pagerank);
    command.finish(outcome.status, outcome.result_hash,
                   {0, 0, 0, outcome.plan_seconds, outcome.transfer_seconds, outcome.execute_seconds,
                    request.verify ? checking.seconds() : 0},
                   outcome.rounds.size() * command.graph().edges());
    if (request.output && (!check || check->problem.empty()) &&
        (outcome.status != "interrupted" || request.output != "-"))
        write_ranks(command.result_path(*request.output, outcome.status), command, outcome);

    const Work work = work_of(command.strategy, command.graph().rows, command.graph().edges());
    if (common.json) {
        cli::print_json(to_json(command, outcome, work, check));
    } else if (command.prints_text()) {
        print_text(command, outcome, work, check);
    }
    if (check && !check->problem.empty())
        throw Error(Failure::verification,
                    check->problem + "; nothing was written. This is an error of Lockstep: please report it");
    cli::check_signal();
    return 0;
}

}  // namespace lockstep
