#include "threads.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cli.hpp"
#include "lockstep/formats/control_group.hpp"
#include "signals.hpp"

namespace lockstep::cli {

namespace {

/// Sets GOMP_SPINCOUNT and restarts the program. By default libgomp lets threads spin for milliseconds at a
/// barrier; if the machine is shared with other programs, the spinning threads occupy the processor that the
/// awaited thread needs. Measured: 2 threads next to 2 busy ones took 5 to 131 times as long as on an idle
/// machine, with this setting 2 to 3 times. libgomp reads its environment before `main`, hence the restart.
void wait_briefly(char** argv) {
    constexpr const char* variable = "GOMP_SPINCOUNT";
    if (std::getenv(variable)) return;
    setenv(variable, "1000", 0);  // about 5 µs
    std::error_code none;
    // The link is resolved first, since the process would be called "exe" if the link itself were executed.
    const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
    if (none) return;
    block_signals();
    if (pending_signal() == 0) execv(program.c_str(), argv);
    catch_signals();
}

}  // namespace

void prepare_threads(char** argv) {
    wait_briefly(argv);
    if (std::getenv("OMP_NUM_THREADS")) return;
    const auto quota = ControlGroups().processors();
    if (quota) omp_set_num_threads(std::clamp(static_cast<int>(std::ceil(*quota)), 1, omp_get_max_threads()));
}

}  // namespace lockstep::cli
