// What the driver asks of a device: cpu.cpp and cuda.cu.
#pragma once

#include <memory>

#include "apps/als/problem.hpp"
#include "apps/sgd/backend.hpp"

namespace lockstep::als {

using sgd::Factors;

class Engine {
public:
    virtual ~Engine() = default;
    /// Solves for the vector of every row, then of every column; its seconds.
    virtual double sweep() = 0;
    /// sgd::stride_of(rank) apart.
    virtual Factors factors() = 0;
    virtual EdgeId bytes() const = 0;
};

/// The problem must outlive it. Throws Error (no_device) where there is no GPU, or too little of its memory.
std::unique_ptr<Engine> on_cpu(const Problem& problem, Factors initial, int threads);
std::unique_ptr<Engine> on_cuda(const Problem& problem, const Factors& initial);

/// G is added up by blocks of so many vectors, one block after another: a whole number of chunks, at most 256 blocks.
inline constexpr VertexId gram_blocks = 256;
VertexId gram_block(VertexId vectors);

}  // namespace lockstep::als
