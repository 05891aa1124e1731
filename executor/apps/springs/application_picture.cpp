#include "apps/springs/application_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lockstep/formats/output_file.hpp"

namespace lockstep::springs {

namespace {

using Point = std::array<float, 2>;
/// Returns the position of a particle in the picture, an oblique projection in which y points down.
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

/// Returns the springs that are drawn: all springs if there are at most 1,000; otherwise every n-th spring of
/// the shortest third.
std::vector<EdgeId> choose_drawn_edges(const Model& model) {
    constexpr EdgeId most = 1000;
    const EdgeId edges = model.plan.edges();
    std::vector<float> rest(model.rest.begin(), model.rest.end());
    if (edges > most)
        std::nth_element(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(edges / 3), rest.end());
    std::vector<EdgeId> lines;
    for (EdgeId e = 0; e < edges; ++e)
        if (edges <= most || model.rest[e] <= rest[edges / 3]) lines.push_back(e);
    const std::size_t every = lines.size() / (3 * most) + 1;
    for (std::size_t i = 0; i * every < lines.size(); ++i) lines[i] = lines[i * every];
    lines.resize((lines.size() + every - 1) / every);
    return lines;
}

}  // namespace

void write_strip(const std::string& path, const Model& model, const std::vector<std::vector<float>>& frames) {
    constexpr float panel = 240, margin = 10;
    Box box;
    for (const auto& frame : frames)
        for (VertexId v = 0; v < model.particles.size(); ++v) box.add(seen(frame, v));
    const float width = std::max(box.high[0] - box.low[0], 1e-6F),
                height = std::max(box.high[1] - box.low[1], 1e-6F);
    const float scale = panel / std::max(width, height);
    const std::vector<EdgeId> lines = choose_drawn_edges(model);

    OutputFile file(path);
    file.write(fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
        static_cast<int>(static_cast<float>(frames.size()) * (panel + margin) + margin),
        static_cast<int>(height * scale + 2 * margin)));
    for (std::size_t f = 0; f < frames.size(); ++f) {
        std::string path_data;
        for (const EdgeId e : lines) {
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
