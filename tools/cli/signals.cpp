#include "signals.hpp"

#include <csignal>

#include "lockstep/formats/interruption.hpp"

namespace lockstep::cli {

namespace {

constexpr int caught[] = {SIGINT, SIGTERM, SIGHUP};
extern "C" void on_signal(int signal) { receive_signal(signal); }

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
        }, action{};  // without SA_RESTART, so that a blocking read ends with EINTR
        sigaction(signal, nullptr, &before);
        action.sa_handler = on_signal;
        if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
    }
    mask_signals(SIG_UNBLOCK);
}

void block_signals() noexcept { mask_signals(SIG_BLOCK); }

}  // namespace lockstep::cli
