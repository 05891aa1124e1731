#include "mesh.hpp"

#include <algorithm>
#include <boost/polygon/voronoi.hpp>

#include "random.hpp"

namespace lockstep::generate {

namespace {

constexpr std::int32_t side = std::int32_t{1} << 30;

struct Site {
    std::int32_t x, y;
    std::uint64_t place;  ///< index along the Morton curve
    bool operator==(const Site& o) const { return place == o.place; }
};

// Inserts a zero bit between neighbouring bits: 0b111 becomes 0b10101.
std::uint64_t spread(std::uint64_t bits) {
    bits = (bits | bits << 16) & 0x0000FFFF0000FFFF;
    bits = (bits | bits << 8) & 0x00FF00FF00FF00FF;
    bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0F;
    bits = (bits | bits << 2) & 0x3333333333333333;
    return (bits | bits << 1) & 0x5555555555555555;
}
Site site(std::int32_t x, std::int32_t y) {
    return {x, y, spread(static_cast<std::uint64_t>(x)) | spread(static_cast<std::uint64_t>(y)) << 1};
}

std::vector<Site> sites(std::uint64_t points, std::uint64_t seed) {
    Sequence random(seed, Stream::points);
    std::vector<Site> all{site(0, 0), site(side, 0), site(0, side), site(side, side)};
    while (all.size() < points) {
        while (all.size() < points)
            all.push_back(site(static_cast<std::int32_t>(random.below(std::uint64_t{side} + 1)),
                               static_cast<std::int32_t>(random.below(std::uint64_t{side} + 1))));
        std::sort(all.begin(), all.end(), [](const Site& a, const Site& b) { return a.place < b.place; });
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return all;
}

}  // namespace

MeshFile random_mesh(std::uint64_t points, std::uint64_t seed) {
    namespace polygon = boost::polygon;
    MeshFile mesh;
    std::vector<polygon::point_data<std::int32_t>> input;
    for (const Site& s : sites(points, seed)) {
        mesh.x.push_back(s.x * 0x1p-30), mesh.y.push_back(s.y * 0x1p-30);
        input.emplace_back(s.x, s.y);
    }
    polygon::voronoi_diagram<double> diagram;
    polygon::construct_voronoi(input.begin(), input.end(), &diagram);
    // A vertex of the diagram corresponds to a triangle, or to a polygon whose corners lie on one circle.
    // Triangles are sorted by their lowest corner, so that neighbours in the plane are near each other in
    // memory.
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<std::int32_t> corners;
    for (const auto& vertex : diagram.vertices()) {
        corners.clear();
        const auto* edge = vertex.incident_edge();
        do {
            corners.push_back(static_cast<std::int32_t>(edge->cell()->source_index()));
            edge = edge->rot_next();
        } while (edge != vertex.incident_edge());
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        for (std::size_t i = 2; i < corners.size(); ++i)
            triangles.push_back({corners[0], corners[i - 1], corners[i]});
    }
    std::sort(triangles.begin(), triangles.end());
    for (const auto& triangle : triangles)
        mesh.corners.insert(mesh.corners.end(), triangle.begin(), triangle.end());
    return mesh;
}

}  // namespace lockstep::generate
