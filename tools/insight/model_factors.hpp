// What the terms of the model were found to be off by; made by tools/fit_model.py, see docs/insight.md.
#pragma once

namespace lockstep::insight {

struct Factor {
    const char *strategy, *term;
    double value;
};

/// GPUs, from one NVIDIA H200. On CPUs every factor is 1.
inline constexpr Factor model_factors[] = {
    {"tiled", "edges", 0.761},
    {"tiled", "hub", 1.05},
    {"tiled", "launch", 1.02},
    {"tiled", "phases", 2.18},
    {"tiled", "steps", 1.06},
    {"sgm", "blocks", 1.87},
    {"sgm", "latency", 1.12},
    {"sgm", "launch", 1.09},
    {"sgm", "memory", 0.992},
    {"sgm", "rounds", 1.07},
    {"agm-e", "latency", 1.08},
    {"agm-e", "launch", 1.28},
    {"agm-e", "memory", 1.42},
    {"agm-e", "rounds", 0.939},
    {"nl", "chain", 1.24},
    {"nl", "contention", 1.69},
    {"nl", "edges", 0.583},
    {"nl", "items", 3.03},
    {"nl", "launch", 1.06},
    {"nl", "row chain", 1.1},
    {"nl-el", "chain", 1.26},
    {"nl-el", "contention", 1.94},
    {"nl-el", "edges", 1.06},
    {"nl-el", "items", 1.94},
    {"nl-el", "launch", 1.02},
    {"nl-el", "row chain", 0.911},
    {"blkdiag", "chain", 1.06},
    {"blkdiag", "edges", 0.57},
    {"blkdiag", "launch", 0.984},
    {"blkdiag", "rounds", 1.17},
    {"agm-n", "blocks", 1.38},
    {"agm-n", "latency", 1.5},
    {"agm-n", "launch", 1.06},
    {"agm-n", "memory", 0.969},
    {"agm-n", "rounds", 1.03},
    {"el-sgm", "blocks", 1.76},
    {"el-sgm", "chain", 1.06},
    {"el-sgm", "latency", 1.08},
    {"el-sgm", "launch", 1.11},
    {"el-sgm", "locked", 1.09},
    {"el-sgm", "memory", 0.984},
    {"el-sgm", "rounds", 1.11},
    {"el", "chain", 0.511},
    {"el", "contention", 1.73},
    {"el", "edges", 0.984},
    {"el", "launch", 0.984},
    {"el", "row chain", 0.646},
    {"diag", "latency", 0.992},
    {"diag", "launch", 0.954},
    {"diag", "memory", 0.969},
    {"diag", "rounds", 0.911},
    {"el-shuffled", "chain", 0.743},
    {"el-shuffled", "contention", 0.889},
    {"el-shuffled", "edges", 1.11},
    {"el-shuffled", "launch", 0.992},
    {"el-shuffled", "row chain", 0.671},
    {"hogwild", "edges", 1.06},
    {"hogwild", "flight", 1.1},
    {"hogwild", "launch", 0.804},
    {"hogwild-blocked", "edges", 0.656},
    {"hogwild-blocked", "flight", 1.22},
    {"hogwild-blocked", "hub", 1.56},
    {"hogwild-blocked", "launch", 3.36},
    {"hogwild-blocked", "memory", 1.15},
};

}  // namespace lockstep::insight
