// Tests of Triangle's mesh files: files as users have them (a folder of tests/data/mesh), and writing.
#include <fstream>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

TEST_CASE("odd mesh files are read") {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(LOCKSTEP_TEST_DATA "/mesh/odd")) {
        if (entry.path().extension() != ".expected") continue;
        INFO(entry.path().stem());
        ++files;
        std::size_t points = 0, triangles = 0;
        int first = -1;
        std::ifstream(entry.path()) >> points >> triangles >> first;
        for (const char* suffix : {".node", ".ele"}) {
            const MeshFile mesh = read_mesh(fs::path(entry.path()).replace_extension(suffix));
            CHECK(mesh.x.size() == points);
            CHECK(mesh.corners.size() == 3 * triangles);
            CHECK(mesh.first == first);
            CHECK(mesh.lines.size() == triangles);
        }
    }
    CHECK(files > 15);
}

TEST_CASE("a mesh is written as it is read, bit for bit") {
    const TemporaryFolder folder;
    MeshFile mesh{{0, 1, 1.0 / 3, 1e-300}, {0, -0.0, 5e100, 0.1}, {0, 1, 2, 1, 3, 2}, 1};
    for (const int first : {0, 1}) {
        mesh.first = first;
        write_mesh(folder / "m.node", mesh, "a comment");
        const MeshFile read = read_mesh(folder / "m.ele");
        CHECK(read.x == mesh.x);
        CHECK(read.y == mesh.y);
        CHECK(read.corners == mesh.corners);
        CHECK(read.first == first);
        CHECK(read.lines == std::vector<std::uint64_t>{3, 4});
        CHECK(mesh_hash(read) == mesh_hash(mesh));
    }
    mesh.corners[0] = 3;
    CHECK(mesh_hash(mesh) != mesh_hash(read_mesh(folder / "m.ele")));
    CHECK_THROWS_AS(write_mesh(folder / "missing/m.ele", mesh, ""), OutputError);
}

TEST_CASE("every cut of a mesh file is refused or is a whole mesh") {
    const TemporaryFolder folder;
    const std::string node = "4 2 0 0\n0 0 0\n1 1 0\n2 1 1\n3 0 1\n", ele = "2 3 0\n0 0 1 2\n1 0 2 3\n";
    const auto reads = [&](const std::string& points, const std::string& triangles) {
        write_file(folder / "m.node", points);
        write_file(folder / "m.ele", triangles);
        try {
            return read_mesh(folder / "m.node").corners.size() == 6;
        } catch (const FormatError& e) {
            CHECK(e.path().find(".node") + e.path().find(".ele") != 2 * std::string::npos);
            return false;
        }
    };
    CHECK(reads(node, ele));
    for (std::size_t cut = 0; cut < node.size() - 2; ++cut) CHECK_FALSE(reads(node.substr(0, cut), ele));
    for (std::size_t cut = 0; cut < ele.size() - 2; ++cut) CHECK_FALSE(reads(node, ele.substr(0, cut)));
}
