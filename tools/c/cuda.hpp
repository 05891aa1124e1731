// The CUDA library: the same interface, built with CUDA, and loaded at its first use.
#pragma once

#include "call.hpp"

namespace lockstep::c {

/// Returns true if a call with these options (device=auto by default) has to be forwarded to the CUDA
/// library. Throws Error (no_device) if the options contain device=cuda and no GPU can be used.
bool runs_on_cuda(const char* const* options);

/// Returns the address of the function `name` of the CUDA library, which must be loaded. Throws Error if the
/// library has no such function.
void* cuda_symbol(const char* name);
template <class Function>
Function* in_cuda(Function*, const char* name) {
    return reinterpret_cast<Function*>(cuda_symbol(name));
}
/// Throws Passed, with the library's message, if `code`, which a function of the CUDA library returned, is an
/// error.
void passed(int code);

/// Copies bytes. Either pointer may be on the device if `on_device` is true and this library is built with
/// CUDA. Throws Error (bad input) if `on_device` is true in a library without CUDA.
void copy(void* to, const void* from, std::size_t bytes, bool on_device);

}  // namespace lockstep::c
