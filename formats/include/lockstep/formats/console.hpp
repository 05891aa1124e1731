// Progress messages of long tasks, and stopwatches.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace lockstep {

/// The output options that all programs have, and the function that receives progress messages.
struct Common {
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    std::function<void(const std::string&)> listener = {};  ///< called with each message; may throw
};

/// Passes a progress message to the listener, if there is one.
inline void note(const Common& common, const std::string& text) {
    if (common.listener) common.listener(text);
}

/// Measures the seconds since its construction.
class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Return the seconds since the process began, or since this thread last called start_again(). start_again()
/// is called when a program calls the library.
double seconds_since_start();
void start_again();

}  // namespace lockstep
