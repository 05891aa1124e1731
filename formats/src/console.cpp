#include "lockstep/formats/console.hpp"

#include <optional>

namespace lockstep {

namespace {

const Stopwatch started;                      // with the process
thread_local std::optional<Stopwatch> asked;  // when this thread called the library

}  // namespace

double seconds_since_start() { return (asked ? *asked : started).seconds(); }
void start_again() { asked.emplace(); }

}  // namespace lockstep
