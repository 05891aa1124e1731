// Catches signals before the constructors of any library run, which take milliseconds. Until then a signal ends the
// process itself; afterwards it gives the documented exit code.
#include "signals.hpp"

namespace {

void catch_early(int, char**, char**) { lockstep::cli::catch_signals(); }

__attribute__((section(".preinit_array"), used)) void (*const before_constructors)(int, char**,
                                                                                   char**) = catch_early;

}  // namespace
