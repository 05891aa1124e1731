// What the terms of the model were found to be off by; made by tools/fit_model.py, see docs/insight.md.
#pragma once

namespace lockstep::insight {

struct Factor {
    const char *strategy, *term;
    double value;
};

/// GPUs, from one NVIDIA H200. On CPUs every factor is 1.
inline constexpr Factor model_factors[] = {
    {"", "", 1},
};

}  // namespace lockstep::insight
