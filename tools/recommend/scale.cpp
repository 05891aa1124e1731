#include "scale.hpp"

#include <fmt/format.h>

#include <iostream>

namespace lockstep {

using namespace insight;

void ScaleOptions::list(Fields& fields) {
    fields.number("gpus", gpus, 1, 1 << 20,
                  "predict only the sweep time of tiled on N H200 GPUs; see docs/guides/gpus.md");
    fields.number("hosts", hosts, 1, 1 << 20,
                  "with --gpus: number of hosts; each host has the same number of GPUs");
    fields.number("groups", groups, 0, 1 << 20,
                  "with --gpus: number of groups of the schedule; 0 = one per GPU");
}

bool asks_for_scale(const ScaleOptions& options, const Fields& given) {
    if (!options.gpus && (given.is_given("hosts") || given.is_given("groups")))
        throw cli::UsageError("--hosts and --groups require --gpus N");
    return options.gpus.has_value();
}

void print_scale(const Statistics& s, const ScaleOptions& options, const std::string& device,
                 std::uint32_t rank, const cli::Common& common) {
    if (device != "auto" && device != "h200")
        throw cli::UsageError("--gpus has figures only for H200 GPUs: leave out --device, or give h200");
    const Cluster cluster{*options.gpus, options.hosts};
    if (cluster.gpus % cluster.hosts != 0)
        throw cli::UsageError(
            fmt::format("{} GPUs cannot be divided evenly among {} hosts", cluster.gpus, cluster.hosts));
    const EdgeId groups = options.groups;
    if (groups && groups < cluster.gpus)
        throw cli::UsageError(fmt::format("{} GPUs need at least one group each", cluster.gpus));
    const std::uint32_t chunks = (rank + 3) / 4;
    const double vector_bytes = 16.0 * chunks;
    const ScaleFigures figures;
    const ScalePrediction p = predict_scale(s, vector_bytes, cluster, groups, figures),
                          one = predict_scale(s, vector_bytes, {}, 0, figures);
    const double rate = static_cast<double>(s.edges) / p.sweep(), speedup = one.sweep() / p.sweep();
    if (common.json) {
        return cli::print_json({{"lockstep_scale", 1},
                                {"gpus", cluster.gpus},
                                {"hosts", cluster.hosts},
                                {"rank", rank},
                                {"groups", p.groups},
                                {"laps", p.laps},
                                {"sweep_seconds", p.sweep()},
                                {"updates_per_second", rate},
                                {"one_gpu_seconds", one.sweep()},
                                {"fits", p.fits},
                                {"vector_bytes_each", p.memory},
                                {"stream_bytes_each", p.streams},
                                {"streamed", p.streamed},
                                {"passed_bytes", p.passed},
                                {"visited_bytes", p.visited},
                                {"link_share", p.link_share()},
                                {"seconds",
                                 {{"edges", p.edges},
                                  {"phases", p.phases},
                                  {"waiting", p.waiting},
                                  {"links", p.links},
                                  {"copies", p.copies}}}});
    }
    std::cout << fmt::format("{}: {} × {}, {} edges, rank {}; {} NVIDIA H200{} of {} host{}\n\n", s.name,
                             cli::group_digits(s.rows.vertices), cli::group_digits(s.cols.vertices),
                             cli::group_digits(s.edges), rank, cli::group_digits(cluster.gpus),
                             cluster.gpus > 1 ? "s" : "", cluster.hosts, cluster.hosts > 1 ? "s" : "");
    const auto line = [](const char* name, double seconds, const std::string& how) {
        std::cout << fmt::format("  {:<10}{:>12}  {}\n", name, cli::duration(seconds), how);
    };
    std::cout << fmt::format("tiled in {} groups{}: {} per sweep, {:.3g} G updates/s, {:.2f} × one GPU\n",
                             p.groups, p.laps > 1 ? fmt::format(" of {} laps", p.laps) : "",
                             cli::duration(p.sweep()), rate / 1e9, speedup);
    line("edges", p.edges, fmt::format("{} on each GPU", cli::group_digits(s.edges / cluster.gpus)));
    line("phases", p.phases,
         fmt::format("{} of users' vectors copied to thread blocks and back, during the updates of edges",
                     cli::bytes(p.visited)));
    line("waiting", p.waiting, "waiting of the GPUs for each other");
    line("links", p.links,
         fmt::format("{} per user group {}, {:.0f} % of the sweep", cli::bytes(p.passed),
                     cluster.hosts > 1 ? "between hosts" : "over NVLink", 100 * p.link_share()));
    if (p.streamed) line("copies", p.copies, "copies of the streams from the host, during the computation");
    std::cout << fmt::format("memory of each GPU: {} of vectors, {} of streams\n", cli::bytes(p.memory),
                             cli::bytes(p.streams));
    if (!p.fits)
        std::cout << fmt::format("Not possible: the vectors of all vertices exceed the {} of a GPU.\n",
                                 cli::bytes(figures.memory));
}

}  // namespace lockstep
