// The integer grid of a mesh's coordinates. Its step is a power of two, so that coordinates that are
// multiples of the step stay exact. The grid has a margin on all sides for circumcentres outside the mesh.
#pragma once

#include <cmath>
#include <span>

#include "lockstep/executor/mesh/geometry.hpp"

namespace lockstep::mesh {

struct Grid {
    int exponent = 0;           ///< the step of the grid is 2^exponent
    std::int64_t x = 0, y = 0;  ///< coordinates of the grid's origin, in steps

    Point put(double px, double py) const { return {offset(px, x), offset(py, y)}; }
    double x_of(Point p) const { return std::scalbn(static_cast<double>(p.x + x), exponent); }
    double y_of(Point p) const { return std::scalbn(static_cast<double>(p.y + y), exponent); }
    double step() const { return std::scalbn(1.0, exponent); }

private:
    std::int32_t offset(double value, std::int64_t from) const {
        return static_cast<std::int32_t>(std::llrint(std::scalbn(value, -exponent)) - from);
    }
};

/// Returns the finest grid in which the points extend over at most half of each side (2^30 steps), but no
/// grid that is finer than the resolution of double precision. Throws Error if there is no such grid, because
/// all points are too close together.
Grid grid_of(std::span<const double> x, std::span<const double> y);

}  // namespace lockstep::mesh
