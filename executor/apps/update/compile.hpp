// Compiles a user's update, once, and loads it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "apps/update/source.hpp"
#include "lockstep/executor/update/device_module.hpp"

namespace lockstep::update {

/// Calls while something is compiled.
struct CompileCallbacks {
    std::function<void(const std::string&)> note;  ///< before it begins
    std::function<void()> check;  ///< several times a second; what it throws ends the compiler
};

/// Compiles an update for this processor by $CXX, else by the compiler that built this program, else by c++.
/// The library is kept in the cache folder and found there by the hash of the command and of all files that
/// the compiler read; one whose checksum is wrong is compiled again. Throws FormatError with the compiler's
/// message if it does not compile, Error (failed) if there is no compiler, OutputError if there is no space
/// for temporary files.
std::shared_ptr<Module> load(const Source& source, const CompileCallbacks& callbacks);

/// Does the same for a GPU of that compute capability (90), by the CUDA compiler that built this program,
/// else by nvcc of PATH. Throws Error (no_device) if there is neither.
std::shared_ptr<DeviceModule> load_for_gpu(const Source& source, int capability,
                                           const CompileCallbacks& callbacks);

}  // namespace lockstep::update
