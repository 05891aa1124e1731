// Interface between the driver of implicit ALS and a device. cpu.cpp and cuda.cu implement it.
#pragma once

#include "apps/als/problem.hpp"
#include "apps/sgd/backend.hpp"
#include "lockstep/executor/run.hpp"

namespace lockstep::als {

using sgd::Factors;

/// A solver of implicit ALS on one device. run() executes one sweep: it solves for the vector of every row
/// and then of every column, and returns the elapsed seconds. result() returns the factors, with consecutive
/// vectors sgd::stride_of(rank) floats apart.
using Solver = Run<double(), Factors()>;

/// Makes a solver on a CPU or a GPU. The problem must outlive the solver. Throws Error (no_device) if there
/// is no GPU, or if the problem does not fit in its memory.
Solver on_cpu(const Problem& problem, Factors initial, int threads);
Solver on_cuda(const Problem& problem, const Factors& initial);

/// The sum G over all vectors is computed from at most this number of partial sums, each over one block of
/// vectors. gram_block() returns the number of vectors in a block, a multiple of `chunk`.
inline constexpr VertexId gram_blocks = 256;
VertexId gram_block(VertexId vectors);

}  // namespace lockstep::als
