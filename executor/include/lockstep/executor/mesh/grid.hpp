// The grid that a mesh's coordinates are put on: steps of a power of two, so that coordinates which are
// multiples of it stay as they are, and room on all sides for centres beside the mesh.
#pragma once

#include <cmath>
#include <span>

#include "lockstep/executor/mesh/geometry.hpp"

namespace lockstep::mesh {

struct Grid {
    int exponent = 0;           ///< of a step: 2^exponent
    std::int64_t x = 0, y = 0;  ///< multiples of a step at the grid's beginning

    Point put(double px, double py) const { return {offset(px, x), offset(py, y)}; }
    double x_of(Point p) const { return std::scalbn(static_cast<double>(p.x + x), exponent); }
    double y_of(Point p) const { return std::scalbn(static_cast<double>(p.y + y), exponent); }
    double step() const { return std::scalbn(1.0, exponent); }

private:
    std::int32_t offset(double value, std::int64_t from) const {
        return static_cast<std::int32_t>(std::llrint(std::scalbn(value, -exponent)) - from);
    }
};

/// The finest on which all points take half of each side, 2^30 steps, at most, and none finer than double
/// precision resolves. Throws Error where they are so close together that there is none.
Grid grid_of(std::span<const double> x, std::span<const double> y);

}  // namespace lockstep::mesh
