#include "lockstep/formats/interruption.hpp"

#include <unistd.h>

#include <atomic>

namespace lockstep {

namespace {

std::atomic<int> signal_received{0};

}  // namespace

int pending_signal() noexcept { return signal_received.load(); }

void check_signal() {
    if (const int signal = pending_signal()) throw Interrupted(signal);
}

void receive_signal(int signal) noexcept {
    // A user who sends a second signal does not accept the wait for a safe point.
    if (signal_received.exchange(signal) != 0) _exit(128 + signal);
}

}  // namespace lockstep
