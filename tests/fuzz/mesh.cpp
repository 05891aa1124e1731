// Fuzzes the readers of meshes. The input is a .node file and a .ele file, separated by a byte of value 1. An
// accepted mesh is refined for at most 40 rounds. If the refinement finishes, its result is checked.
#include "apps/dmr/place.hpp"
#include "apps/dmr/reference.hpp"
#include "fuzz.hpp"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(bytes.find('\1'), size);
    fuzz::scratch_file("mesh.node", bytes.substr(0, end));
    const auto path = fuzz::scratch_file("mesh.ele", bytes.substr(std::min(end + 1, size)));
    fuzz::try_to([&] {
        const MeshFile file = read_mesh(path);
        const mesh::Mesh input = dmr::place_on_grid(file, path.string()).input;
        mesh::Mesh refined = input;
        const mesh::Rules rules{mesh::rule_of(input, 30)};
        int rounds = 0;
        const mesh::Totals totals =
            mesh::refine_on_cpu(refined, rules, 1, [&](const mesh::Round&) { return ++rounds < 40; });
        if (!totals.stopped && mesh::doubled_area(input) < (__int128{1} << 62))
            fuzz::require(dmr::verify_refinement(input, refined, rules).problem.empty(),
                          "a refined mesh is proved");
    });
    return 0;
}
