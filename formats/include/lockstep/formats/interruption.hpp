// A signal that the process has received. Long loops ask for it, and stop at a safe place.
#pragma once

#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// Thrown by check_signal() after SIGINT, SIGTERM or SIGHUP, and with SIGPIPE when nobody reads standard
/// output any more (then without a word); exit code 128 + signal.
class Interrupted : public Error {
public:
    explicit Interrupted(int signal) : Error("interrupted"), signal_(signal) {}
    int signal() const noexcept { return signal_; }

private:
    int signal_;
};

/// Returns the signal received so far; 0 if there is none.
int pending_signal() noexcept;
/// Throws Interrupted if a signal is pending.
void check_signal();

/// Notes a signal. A second one ends the process at once. A signal handler may call it, before main() too.
void receive_signal(int signal) noexcept;

}  // namespace lockstep
