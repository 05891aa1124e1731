#include "apps/springs/application_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "output_file.hpp"

namespace lockstep::springs {

namespace {

using Point = std::array<float, 2>;
/// Of a particle on the page, y downwards.
Point seen(const std::vector<float>& frame, VertexId v) {
    const float *const p = frame.data() + 3 * std::size_t{v}, aside = 0.35F, below = 0.3F;
    return {p[0] + aside * p[2], -p[1] + below * p[2]};
}

struct Box {
    Point low{1e30F, 1e30F}, high{-1e30F, -1e30F};
    void add(const Point& p) {
        for (std::size_t i = 0; i < 2; ++i)
            low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
    }
};

}  // namespace

void write_strip(const std::string& path, const Model& model, const std::vector<std::vector<float>>& frames) {
    constexpr EdgeId most_lines = 8000;
    constexpr float panel = 240, margin = 10;
    Box box;
    for (const auto& frame : frames)
        for (VertexId v = 0; v < model.particles.size(); ++v) box.add(seen(frame, v));
    const float width = std::max(box.high[0] - box.low[0], 1e-6F),
                height = std::max(box.high[1] - box.low[1], 1e-6F);
    const float scale = panel / std::max(width, height);
    const EdgeId every = std::max<EdgeId>(1, (model.plan.edges() + most_lines - 1) / most_lines);

    cli::OutputFile file(path);
    file.write(fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
        static_cast<int>(static_cast<float>(frames.size()) * (panel + margin) + margin),
        static_cast<int>(height * scale + 2 * margin)));
    for (std::size_t f = 0; f < frames.size(); ++f) {
        std::string path_data;
        for (EdgeId e = 0; e < model.plan.edges(); e += every) {
            for (const auto& [letter, v] :
                 {std::pair('M', model.plan.row[e]), std::pair('L', model.plan.col[e])}) {
                const Point p = seen(frames[f], v);
                path_data += fmt::format("{}{:.1f} {:.1f}", letter, (p[0] - box.low[0]) * scale,
                                         (p[1] - box.low[1]) * scale);
            }
        }
        file.write(
            fmt::format("<path transform=\"translate({} {})\" fill=\"none\" stroke=\"#1f4e79\" "
                        "stroke-width=\"0.4\" d=\"{}\"/>\n",
                        margin + static_cast<float>(f) * (panel + margin), margin, path_data));
    }
    file.write("</svg>\n");
    file.commit();
}

}  // namespace lockstep::springs
