// A user's file with an update, compiled once and loaded.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// "spring.hpp", or "spring.hpp:Spring" where the file has several structs with an update.
struct Source {
    std::string path, name;  ///< name: of the struct
};
/// Throws FormatError where the file cannot be read or has no struct with a function `update`.
Source find_update(const std::string& given);

/// Compiled with the compiler that this program was built with, else $CXX or c++, for this processor and its
/// `parameters` (names of fields of Parameters); kept in the cache folder by the hash of all of that. `note` is
/// told before that takes time. Throws FormatError with the compiler's message where it does not compile, Error
/// (failed) where there is no compiler.
std::shared_ptr<Module> load(const Source& source, const std::vector<std::string>& parameters,
                             const std::function<void(const std::string&)>& note);

/// The same for a GPU of that compute capability (90), by the CUDA compiler of this program, else nvcc of PATH.
/// Throws Error (no_device) where there is neither.
std::shared_ptr<DeviceModule> load_for_gpu(const Source& source, const std::vector<std::string>& parameters,
                                           int capability,
                                           const std::function<void(const std::string&)>& note);

}  // namespace lockstep::update
