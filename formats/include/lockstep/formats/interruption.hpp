// Signals that the process has received. Long loops check for them and stop at a safe point.
#pragma once

#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// Thrown by check_signal() after SIGINT, SIGTERM or SIGHUP. Also thrown with SIGPIPE when the reader of
/// standard output is gone; the program then ends without a message. The exit code is 128 + signal.
class Interrupted : public Error {
public:
    explicit Interrupted(int signal) : Error("interrupted"), signal_(signal) {}
    int signal() const noexcept { return signal_; }

private:
    int signal_;
};

/// Returns the signal received so far, or 0.
int pending_signal() noexcept;
/// Throws Interrupted if a signal is pending.
void check_signal();

/// Records a signal. A second signal ends the process immediately. May be called from a signal handler, also
/// before main().
void receive_signal(int signal) noexcept;

}  // namespace lockstep
