// lockstep-probe: measures the properties of the device that bound the strategies.
#include <fmt/format.h>

#include <iostream>

#include "cli.hpp"
#include "insight/cache.hpp"
#include "insight/measure/accesses.hpp"
#include "insight/measure/measure.hpp"
#include "lockstep/formats/output_file.hpp"
#include "outputs.hpp"

using namespace lockstep;
using namespace lockstep::insight;

namespace {

struct ProbeOptions {
    Device device = Device::automatic;
    std::uint32_t rank = 16;
    int threads = 0;
    VertexId accesses = 0;
    bool fresh = false, quick = false, force = false;
    std::optional<std::string> output;

    void list(Fields& fields) {
        fields.word("device", device,
                    {{"auto", Device::automatic}, {"cpu", Device::cpu}, {"cuda", Device::cuda}},
                    "device to measure: cuda, cpu, or auto (cuda if there is a GPU)");
        fields.number("rank", rank, 1, 256, "length of the factor vectors, 1 to 256").with_letter('k');
        fields.number("threads", threads, 0, cli::max_threads, "CPU threads; 0 = all");
        fields.flag("fresh", fresh,
                    "measure again, even if there are figures of this device, driver and rank");
        fields.flag(
            "quick", quick,
            "measure rough figures in a few seconds, which are stored like others until --fresh; uses "
            "fewer edges, three timed sweeps each, and data that are not scaled to the cache size");
        fields.number(
            "accesses", accesses, 0, max_vertices,
            "measure only the times of accesses to an array of N words, and print them as JSON; 0 = "
            "measure the device");
        fields
            .text("output", output, "FILE", "also write the figures to this file (JSON); - = standard output")
            .with_letter('o');
        cli::list_force(fields, force);
    }
};

/// Measures the times of memory accesses for --accesses, and prints them.
void print_accesses(Device device, const ProbeOptions& options) {
    const Accesses a = measure_accesses(device, options.accesses, options.threads);
    cli::print_json({{"device", device_info(device, options.threads).name},
                     {"words", options.accesses},
                     {"read_in_order", a.read_in_order},
                     {"write_in_order", a.write_in_order},
                     {"read", a.read},
                     {"write", a.write},
                     {"add_float", a.add_float},
                     {"add_whole", a.add_whole}});
}

/// Returns the device to measure, with a note if it is the CPU only because there is no GPU.
Device find_device(Device wanted, const cli::Common& common) {
    std::string note;
    const Device device = usable_device(wanted, &note);
    if (!note.empty()) cli::note(common, "measuring the CPU: " + note);
    return device;
}

std::string text_of(const Probe& p) {
    const auto us = [](double seconds) { return fmt::format("{:10.3f} µs", seconds * 1e6); };
    const auto rate = [](double per_second) { return fmt::format("{:10.3f} G/s", per_second * 1e-9); };
    const bool gpu = p.device.kind == "cuda";
    std::string text = fmt::format("{}, rank {}\nmeasured {} by {}\n\n", device_text(p.device), p.rank,
                                   p.measured, p.program);
    const auto line = [&](const std::string& name, const std::string& value) {
        text += fmt::format("{:<46}{}\n", name, value);
    };
    line("copy (read and written)", fmt::format("{:10.1f} GB/s", p.copy_rate * 1e-9));
    line("device-wide barrier", us(p.barrier));
    if (gpu) line("barrier of a thread block", us(p.block_barrier));
    line(gpu ? "kernel launch, back to back" : "parallel region", us(p.launch));
    if (gpu) line("node of a CUDA graph", us(p.graph_node));
    const DependentUpdate& own = p.update();
    line("dependent update, in shared memory or L1", us(own.near));
    line("  through the shared cache", us(own.shared));
    line("  under two locks", us(own.locked));
    line("lock and unlock", us(std::max(0.0, own.locked - own.shared)));
    line("edge of a hub, EL / NL", us(p.cost("locked.chain")) + us(p.cost("items.chain")));
    line("unsynchronized updates", rate(1 / p.cost("racing.edge.near")));
    line("updates under uncontended locks", rate(1 / p.cost("locked.edge.near")));
    line("smallest / largest round measured", us(p.phase_round.y.front()) + us(p.phase_round.y.back()));
    text += fmt::format("\n{:>12}{:>18}{:>18}\n", "threads", "one address", "many");
    for (std::size_t i = 0; i < p.atomics_same.x.size(); ++i)
        text += fmt::format("{:>12}{:>18}{:>18}\n", p.atomics_same.x[i], rate(p.atomics_same.y[i]),
                            rate(p.atomics_spread.y[i]));
    text += fmt::format("\n{:>12}{:>18}\n", gpu ? "blocks" : "threads", "barrier");
    for (std::size_t i = 0; i < p.barrier_by_blocks.x.size(); ++i)
        text += fmt::format("{:>12}{:>18}\n", p.barrier_by_blocks.x[i], us(p.barrier_by_blocks.y[i]));
    text += fmt::format("\n{:>12}{:>18}{:>18}{:>18}\n", "rank", "shared memory/L1", "shared cache",
                        "under locks");
    for (const DependentUpdate& u : p.updates)
        text += fmt::format("{:>12}{:>18}{:>18}{:>18}\n", u.rank, us(u.near), us(u.shared), us(u.locked));
    return text;
}

int body(const ProbeOptions& options, const Fields&, const cli::Common& common) {
    const std::optional<std::string>& path = options.output;
    if (path && options.accesses) throw cli::UsageError("--accesses prints its times: leave out --output");
    if (path) cli::check_outputs({}, {{"-o", *path, cli::probe_output}}, options.force);
    const Device device = find_device(options.device, common);
    if (options.accesses) {
        print_accesses(device, options);
        return 0;
    }
    const Probe probe =
        cached_or_measured(device, options.rank, options.threads, options.fresh, options.quick,
                           [&](const std::string& note) { cli::note(common, note); });
    if (path && path != "-") {
        cli::OutputFile file(*path);
        file.write(probe_text(probe));
        file.commit();
    }
    if (common.json || path == "-")
        cli::print_json(to_json(probe));
    else if (!path || !common.quiet)
        std::cout << text_of(probe);
    return 0;
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    return run(argc, argv,
               {"lockstep-probe", "lockstep-probe [options]",
                "Measures the operations that bound the speed of the strategies on this device: "
                "atomics, locks, barriers, kernel launches, dependent updates and unsynchronized "
                "updates. The figures are stored by device, driver and rank in $LOCKSTEP_CACHE or "
                "~/.cache/lockstep.",
                "  lockstep-probe --json\n  lockstep-probe --device cpu --rank 32 --fresh\n"},
               {}, body);
}
