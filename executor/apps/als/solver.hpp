// Interface between the driver and a device, implemented by cpu.cpp and cuda.cu.
#pragma once

#include "apps/als/problem.hpp"
#include "apps/sgd/backend.hpp"
#include "lockstep/executor/run.hpp"

namespace lockstep::als {

using sgd::Factors;

/// Implicit ALS on a device. `run` runs one sweep: it solves for the vector of every row, then of every
/// column, and returns the seconds that this took. `result` returns the factors; vectors are
/// sgd::stride_of(rank) apart.
using Solver = Run<double(), Factors()>;

/// Makes the solver of a device. The problem must outlive it. Throws Error (no_device) if there is no GPU, or
/// its memory is too small.
Solver on_cpu(const Problem& problem, Factors initial, int threads);
Solver on_cuda(const Problem& problem, const Factors& initial);

/// Maximum number of blocks of vectors over which G is summed, one block after another. gram_block() returns
/// the number of vectors in a block: a whole number of chunks.
inline constexpr VertexId gram_blocks = 256;
VertexId gram_block(VertexId vectors);

}  // namespace lockstep::als
