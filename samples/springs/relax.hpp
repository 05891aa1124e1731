// Declarations that main.cpp and gpu.cu share.
#pragma once

#include <vector>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/schedules/schedule.hpp"
#include "spring.hpp"

using Positions = std::vector<Spring::Vertex>;
constexpr int sweeps = 20;
constexpr Spring::Parameters parameters{1e-6F};

/// Returns the positions after the sweeps; an empty list if there is no GPU.
Positions relax_on_gpu(const lockstep::Graph& graph, const lockstep::Strategy& strategy,
                       const lockstep::Schedule* schedule, const Positions& from);
