// Compiles a user's update to a shared library, unless the cache contains the library, and loads it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "apps/update/source.hpp"
#include "lockstep/executor/update/device_module.hpp"

namespace lockstep::update {

/// Functions of the caller that are called during a compilation.
struct CompileCallbacks {
    std::function<void(const std::string&)> note;  ///< called with a message before a compilation begins
    /// Called several times per second; if it throws, the compilation is cancelled.
    std::function<void()> check;
};

/// Compiles an update for this processor and loads it. The compiler is $CXX, otherwise the compiler that
/// built this program, otherwise c++. The library is stored in the cache folder, under a hash of the command
/// and of all files that the compiler read; a library with a wrong checksum is compiled again. Throws
/// FormatError with the compiler's message if the update does not compile, Error (failed) if there is no
/// compiler, and OutputError if temporary files cannot be written.
std::shared_ptr<Module> load(const Source& source, const CompileCallbacks& callbacks);

/// Compiles an update for a GPU and loads it, like load(). `capability` is the compute capability of the GPU:
/// 90 means 9.0. The compiler is the CUDA compiler that built this program, otherwise nvcc in PATH. Throws
/// Error (no_device) if there is neither.
std::shared_ptr<DeviceModule> load_for_gpu(const Source& source, int capability,
                                           const CompileCallbacks& callbacks);

}  // namespace lockstep::update
