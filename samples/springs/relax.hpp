// The type of positions, and the function in gpu.cu that main.cpp calls.
#pragma once

#include <vector>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/schedules/schedule.hpp"
#include "spring.hpp"

using Positions = std::vector<Spring::Vertex>;
constexpr int sweeps = 20;
constexpr Spring::Parameters parameters{1e-6F};

/// Relaxes the springs on a GPU, beginning with the positions `from`. Returns the final positions; an empty
/// list if there is no GPU.
Positions relax_on_gpu(const lockstep::Graph& graph, const lockstep::Strategy& strategy,
                       const lockstep::Schedule* schedule, const Positions& from);
