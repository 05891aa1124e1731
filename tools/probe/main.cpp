// lockstep-probe: what the GPU at hand can do, as far as it bounds the strategies.
#include <fmt/format.h>

#include <iostream>

#include "apps/device.hpp"
#include "cli.hpp"
#include "probe.hpp"

using namespace lockstep;

namespace {

int body(const cli::Values&, const cli::Common& common) {
    std::string reason;
    if (!cuda_available(&reason)) throw Error(Failure::no_device, reason);
#if defined(LOCKSTEP_HAS_CUDA)
    const Probe p = probe_gpu();
    if (common.json) {
        cli::print_json({{"device", p.device},
                         {"rank", p.rank},
                         {"seconds",
                          {{"barrier", p.barrier},
                           {"block_barrier", p.block_barrier},
                           {"update_l2", p.update_l2},
                           {"update_near", p.update_near},
                           {"update_locked", p.update_locked}}},
                         {"racing_updates_per_second", p.racing_rate},
                         {"locked_updates_per_second", p.locked_rate}});
        return 0;
    }
    std::cout << fmt::format(
        "{}, rank {}\n"
        "barrier of the device                      {:8.3f} µs\n"
        "barrier of a thread block                  {:8.3f} µs\n"
        "one update after another, through L2       {:8.3f} µs\n"
        "                          through L1       {:8.3f} µs\n"
        "                          under two locks  {:8.3f} µs\n"
        "racing                                     {:8.2f} G updates/s\n"
        "under locks, all free                      {:8.2f} G updates/s\n",
        p.device, p.rank, p.barrier * 1e6, p.block_barrier * 1e6, p.update_l2 * 1e6, p.update_near * 1e6,
        p.update_locked * 1e6, p.racing_rate * 1e-9, p.locked_rate * 1e-9);
#else
    static_cast<void>(common);
#endif
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return cli::run(argc, argv,
                    {"lockstep-probe", "lockstep-probe [options]",
                     "Measures what bounds the strategies on the GPU at hand: barriers, dependent updates, "
                     "locks, racing. Exit code 5 without a GPU.",
                     "  lockstep-probe --json\n"},
                    cli::Options("Options"), {}, body);
}
