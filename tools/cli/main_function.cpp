// The main function of all programs. Installs the signal handlers before the constructors of any library run,
// which take milliseconds. Before this point a signal kills the process; afterwards the process ends with the
// documented exit code.
#include "cli.hpp"
#include "signals.hpp"

namespace {

void catch_early(int, char**, char**) { lockstep::cli::catch_signals(); }

__attribute__((section(".preinit_array"), used)) void (*const before_constructors)(int, char**,
                                                                                   char**) = catch_early;

}  // namespace

int main(int argc, char** argv) try { return lockstep::cli::run_program(argc, argv); } catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
