// The signals that end a program with a documented exit code: SIGHUP, SIGINT and SIGTERM.
#pragma once

namespace lockstep::cli {

/// Installs the handlers that record these signals, unless a signal is ignored (as under nohup), and undoes
/// the block_signals() call of the program image before execv. May be called before any constructor has run.
void catch_signals() noexcept;

/// Blocks these signals, so that they stay pending, also across execv, until catch_signals() is called.
void block_signals() noexcept;

}  // namespace lockstep::cli
