#include "lockstep/formats/console.hpp"

#include <optional>

namespace lockstep {

namespace {

const Stopwatch started;                          // measures the time since the process began
thread_local std::optional<Stopwatch> restarted;  // measures the time since this thread called start_again()

}  // namespace

double seconds_since_start() { return (restarted ? *restarted : started).seconds(); }
void start_again() { restarted.emplace(); }

}  // namespace lockstep
