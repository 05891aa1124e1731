// Compiles a user's update, once, and loads it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "apps/update/source.hpp"
#include "lockstep/executor/update/device_module.hpp"

namespace lockstep::update {

/// Functions that are called during a compilation.
struct CompileCallbacks {
    std::function<void(const std::string&)> note;  ///< called with a message before the compilation begins
    std::function<void()> check;  ///< called several times per second; if it throws, the compiler is ended
};

/// Compiles an update for this processor by $CXX, else by the compiler that built this program, else by c++.
/// The library is kept in the cache folder and found there by the hash of the command and of all files that
/// the compiler read; one whose checksum is wrong is compiled again. Throws FormatError with the compiler's
/// message if it does not compile, Error (failed) if there is no compiler, OutputError if there is no space
/// for temporary files.
std::shared_ptr<Module> load(const Source& source, const CompileCallbacks& callbacks);

/// Compiles an update for a GPU of this compute capability (90 is 9.0), by the CUDA compiler that built this
/// program, else by nvcc of PATH; the rest is as in load(). Throws Error (no_device) if there is neither.
std::shared_ptr<DeviceModule> load_for_gpu(const Source& source, int capability,
                                           const CompileCallbacks& callbacks);

}  // namespace lockstep::update
