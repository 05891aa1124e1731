// The CUDA library: the same interface, built with CUDA, found when it is first asked for.
#pragma once

#include "call.hpp"

namespace lockstep::c {

/// Whether the options, device=auto unless they say it, make it a call of the CUDA library. Throws Error
/// (no_device) where device=cuda is asked for and there is none.
bool runs_on_cuda(const char* const* options);

/// The same function of the CUDA library, which is there.
void* cuda_symbol(const char* name);
template <class Function>
Function* in_cuda(Function*, const char* name) {
    return reinterpret_cast<Function*>(cuda_symbol(name));
}
/// Throws what a function of the CUDA library has returned, with its text.
void passed(int code);

/// Copies bytes, of which either may be on the device where this library has CUDA. Throws Error (bad input) where
/// it has not.
void copy(void* to, const void* from, std::size_t bytes, bool on_device);

}  // namespace lockstep::c
