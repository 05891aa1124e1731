// Interface between the driver and a device, implemented by cpu.cpp and cuda.cu.
#pragma once

#include <memory>

#include "apps/als/problem.hpp"
#include "apps/sgd/backend.hpp"

namespace lockstep::als {

using sgd::Factors;

class Engine {
public:
    virtual ~Engine() = default;
    /// Solves for the vector of every row, then of every column. Returns the seconds that this took.
    virtual double sweep() = 0;
    /// Returns the factors; vectors are sgd::stride_of(rank) apart.
    virtual Factors factors() = 0;
    virtual EdgeId bytes() const = 0;
};

/// Makes the engine of a device. The problem must outlive it. Throws Error (no_device) if there is no GPU, or
/// its memory is too small.
std::unique_ptr<Engine> on_cpu(const Problem& problem, Factors initial, int threads);
std::unique_ptr<Engine> on_cuda(const Problem& problem, const Factors& initial);

/// Maximum number of blocks of vectors over which G is summed, one block after another. gram_block() returns
/// the number of vectors in a block: a whole number of chunks.
inline constexpr VertexId gram_blocks = 256;
VertexId gram_block(VertexId vectors);

}  // namespace lockstep::als
