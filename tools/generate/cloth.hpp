// A cloth: particles on a grid, and springs between neighbours.
#pragma once

#include <vector>

#include "graphs.hpp"

namespace lockstep::generate {

struct ClothShape {
    VertexId width = 0, height = 0;  ///< number of particles per row, and number of rows
    double noise = 0;                ///< maximum displacement of a particle along each axis
};

/// Emits the springs with their rest lengths: to the right and below (structure), along both diagonals
/// (shear), and two particles to the right and below (bending by distance). The rest position of particle
/// `row` * width + `column` is (column, 0, row).
void cloth(const ClothShape& shape, const EmitEdge& emit);
/// Returns x, y, z of every particle, displaced by the noise, which is a function of seed and particle.
std::vector<float> cloth_positions(const ClothShape& shape, std::uint64_t seed);

}  // namespace lockstep::generate
