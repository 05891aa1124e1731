#include "lockstep/formats/console.hpp"

#include <optional>

namespace lockstep {

namespace {

const Stopwatch started;                      // starts with the process
thread_local std::optional<Stopwatch> asked;  // starts when this thread calls the library

}  // namespace

double seconds_since_start() { return (asked ? *asked : started).seconds(); }
void start_again() { asked.emplace(); }

}  // namespace lockstep
