// What main.cpp and gpu.cu have in common.
#pragma once

#include <vector>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/schedules/schedule.hpp"
#include "spring.hpp"

using Positions = std::vector<Spring::Vertex>;
constexpr int sweeps = 20;
constexpr Spring::Parameters parameters{1e-6F};

/// The positions after the sweeps; none where there is no GPU.
Positions relax_on_gpu(const lockstep::Graph& graph, const lockstep::Strategy& strategy,
                       const lockstep::Schedule* schedule, const Positions& from);
