// Signals such as Ctrl-C that the process has received. A signal is only recorded; long loops check for it
// and stop at a safe point.
#pragma once

#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// Thrown by check_signal() after SIGINT, SIGTERM or SIGHUP. It is also thrown, with SIGPIPE, if the program
/// that reads standard output has ended; then no message is printed. The exit code of the program is 128 +
/// signal.
class Interrupted : public Error {
public:
    explicit Interrupted(int signal) : Error("interrupted"), signal_(signal) {}
    int signal() const noexcept { return signal_; }

private:
    int signal_;
};

/// Returns the signal that was received, or 0.
int pending_signal() noexcept;
/// Throws Interrupted if a signal is pending.
void check_signal();

/// Records a signal. If one is already recorded, ends the process immediately. May be called from a signal
/// handler, even before main().
void receive_signal(int signal) noexcept;

}  // namespace lockstep
