// Forwards calls to the CUDA library: a second build of this library with CUDA, which is loaded when a GPU is
// first used.
#pragma once

#include "call.hpp"

namespace lockstep::c {

/// Returns true if a call with these options must be forwarded to the CUDA library: device=cuda, or
/// device=auto (the default) if a GPU can be used. Throws Error (no_device) if the options contain
/// device=cuda, but no GPU can be used.
bool runs_on_cuda(const char* const* options);

/// Returns the address of the function `name` in the CUDA library, which must have been loaded. Throws Error
/// if the library has no such function.
void* cuda_symbol(const char* name);
template <class Function>
Function* in_cuda(Function*, const char* name) {
    return reinterpret_cast<Function*>(cuda_symbol(name));
}
/// Checks the code that a function of the CUDA library has returned. If it is an error, throws
/// CudaLibraryError with the message of that library.
void passed(int code);

/// Copies bytes. If `on_device` is true, the pointers may also point to GPU memory; a library without CUDA
/// then throws Error (bad input).
void copy(void* to, const void* from, std::size_t bytes, bool on_device);

}  // namespace lockstep::c
