#include "signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "cli.hpp"

namespace lockstep::cli {

namespace {

constexpr int caught[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> signal_received{0};

extern "C" void on_signal(int signal) {
    // A second signal means that the person will not wait for a safe place.
    if (signal_received.exchange(signal) != 0) _exit(128 + signal);
}

void mask_signals(int how) noexcept {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : caught) sigaddset(&set, signal);
    sigprocmask(how, &set, nullptr);
}

}  // namespace

void catch_signals() noexcept {
    for (const int signal : caught) {
        struct sigaction before {
        }, action{};  // without SA_RESTART: a read that waits ends with EINTR
        sigaction(signal, nullptr, &before);
        action.sa_handler = on_signal;
        if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
    }
    mask_signals(SIG_UNBLOCK);
}

void block_signals() noexcept { mask_signals(SIG_BLOCK); }

int pending_signal() noexcept { return signal_received.load(); }

}  // namespace lockstep::cli
