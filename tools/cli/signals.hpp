// The signals that end a program with an exit code of its own: SIGHUP, SIGINT and SIGTERM.
#pragma once

namespace lockstep::cli {

/// Notes these signals from now on, unless they are ignored as under nohup, and ends block_signals() of the program
/// image before. May be called before any constructor has run.
void catch_signals() noexcept;

/// Keeps these signals pending, across execv too, until catch_signals() is called.
void block_signals() noexcept;

}  // namespace lockstep::cli
