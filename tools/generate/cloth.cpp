#include "cloth.hpp"

#include <cmath>

#include "random.hpp"

namespace lockstep::generate {

void cloth(const ClothShape& shape, const EmitEdge& emit) {
    struct Step {
        std::int64_t right, down;
    };
    constexpr Step steps[] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
    const std::int64_t width = shape.width, height = shape.height;
    for (std::int64_t row = 0; row < height; ++row) {
        for (std::int64_t col = 0; col < width; ++col) {
            for (const Step& s : steps) {
                const std::int64_t c = col + s.right, r = row + s.down;
                if (c < 0 || c >= width || r >= height) continue;
                emit(static_cast<VertexId>(row * width + col), static_cast<VertexId>(r * width + c),
                     std::sqrt(static_cast<double>(s.right * s.right + s.down * s.down)));
            }
        }
    }
}

std::vector<float> cloth_positions(const ClothShape& shape, std::uint64_t seed) {
    const Random random(seed, Stream::positions);
    const std::uint64_t particles = std::uint64_t{shape.width} * shape.height;
    std::vector<float> positions;
    positions.reserve(3 * particles);
    for (std::uint64_t v = 0; v < particles; ++v) {
        const Words words = random(v);
        const std::uint64_t column = v % shape.width, row = v / shape.width;
        const double at[] = {static_cast<double>(column), 0, static_cast<double>(row)};
        for (std::size_t i = 0; i < 3; ++i)
            positions.push_back(static_cast<float>(at[i] + shape.noise * (words[i] * 0x1p-31 - 1)));
    }
    return positions;
}

}  // namespace lockstep::generate
