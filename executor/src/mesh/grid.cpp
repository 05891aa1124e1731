#include "lockstep/executor/mesh/grid.hpp"

#include <algorithm>
#include <string>

#include "lockstep/schedules/error.hpp"

namespace lockstep::mesh {

Grid grid_of(std::span<const double> x, std::span<const double> y) {
    const auto [left, right] = std::minmax_element(x.begin(), x.end());
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    const double extent = std::max(*right - *left, *high - *low);
    const double largest = std::max({std::abs(*left), std::abs(*right), std::abs(*low), std::abs(*high)});
    if (!(extent > 1e-150))
        throw Error(Failure::bad_input,
                    "all points lie within 1e-150 of each other, so they cannot form a mesh");
    const auto steps = [](double a, double b, int exponent) {
        return std::llrint(std::scalbn(b, -exponent)) - std::llrint(std::scalbn(a, -exponent));
    };
    constexpr std::int64_t most = std::int64_t{1} << 30, margin = std::int64_t{1} << 29;
    Grid grid;
    grid.exponent = std::max(std::ilogb(extent) - 30, std::ilogb(largest) - 52);
    while (std::max(steps(*left, *right, grid.exponent), steps(*low, *high, grid.exponent)) > most)
        ++grid.exponent;
    grid.x = std::llrint(std::scalbn(*left, -grid.exponent)) - margin;
    grid.y = std::llrint(std::scalbn(*low, -grid.exponent)) - margin;
    return grid;
}

}  // namespace lockstep::mesh
