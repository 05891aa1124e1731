#include "apps/dmr/place.hpp"

#include <fmt/format.h>

#include "lockstep/formats/error.hpp"

namespace lockstep::dmr {

PlacedMesh place_on_grid(const MeshFile& file, const std::string& ele) {
    PlacedMesh made;
    try {
        made.grid = mesh::grid_of(file.x, file.y);
    } catch (const Error& e) {
        throw FormatError(mesh_paths(ele).first.string(), e.what());
    }
    try {
        std::vector<mesh::Point> points(file.x.size());
        for (std::size_t p = 0; p < points.size(); ++p) {
            points[p] = made.grid.put(file.x[p], file.y[p]);
            made.moved += made.grid.x_of(points[p]) != file.x[p] || made.grid.y_of(points[p]) != file.y[p];
        }
        made.input = mesh::make_mesh(std::move(points), file.corners);
    } catch (const mesh::MeshError& e) {
        throw FormatError(
            ele, file.lines.at(e.triangle),
            fmt::format("triangle {} {}", e.triangle + static_cast<EdgeId>(file.first), e.what()));
    } catch (const Error& e) {
        throw FormatError(ele, e.what());
    }
    return made;
}

}  // namespace lockstep::dmr
