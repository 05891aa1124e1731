// A cloth: particles on a grid, springs between neighbours.
#pragma once

#include <vector>

#include "graphs.hpp"

namespace lockstep::generate {

struct ClothShape {
    VertexId width = 0, height = 0;  ///< particles in a row, and rows
    double noise = 0;                ///< most that a particle is off its place, along each axis
};

/// Springs with their rest lengths: to the right and below (structure), along both diagonals (shear), and two to the right and
/// below (bending by distance). Particle `row` * width + `column` lies at (column, 0, row) when at rest.
void cloth(const ClothShape& shape, const EmitEdge& emit);
/// x, y, z of every particle, shifted by the noise, a function of seed and particle.
std::vector<float> cloth_positions(const ClothShape& shape, std::uint64_t seed);

}  // namespace lockstep::generate
