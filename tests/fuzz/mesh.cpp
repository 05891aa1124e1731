// Meshes: .node and .ele, parted by a byte 1. What is accepted is refined for some rounds, and proved where
// it is done.
#include "apps/dmr/reference.hpp"
#include "fuzz.hpp"
#include "lockstep/executor/mesh/grid.hpp"
#include "lockstep/formats/mesh_file.hpp"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(bytes.find('\1'), size);
    fuzz::scratch_file("mesh.node", bytes.substr(0, end));
    const auto path = fuzz::scratch_file("mesh.ele", bytes.substr(std::min(end + 1, size)));
    fuzz::try_to([&] {
        const MeshFile file = read_mesh(path);
        const mesh::Grid grid = mesh::grid_of(file.x, file.y);
        std::vector<mesh::Point> points;
        for (std::size_t p = 0; p < file.x.size(); ++p) points.push_back(grid.put(file.x[p], file.y[p]));
        const mesh::Mesh input = mesh::make_mesh(points, file.corners);
        mesh::Mesh refined = input;
        const double floor = std::max(mesh::smallest_feature(input) / 4, 4.0);
        const mesh::Rules rules{{0.75, 1.77, static_cast<std::int64_t>(floor * floor)}};
        int rounds = 0;
        const mesh::Totals totals =
            mesh::refine_on_cpu(refined, rules, 1, [&](const mesh::Round&) { return ++rounds < 40; });
        if (!totals.stopped && mesh::doubled_area(input) < (__int128{1} << 62))
            fuzz::require(dmr::prove_refinement(input, refined, rules).problem.empty(),
                          "a refined mesh is proved");
    });
    return 0;
}
