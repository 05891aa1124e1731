// Writes a drawing as an SVG or PNG picture with the library cairo.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "apps/layout/files.hpp"
#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/error.hpp"
#if defined(LOCKSTEP_HAS_CAIRO)
#include <cairo-svg.h>
#endif

namespace lockstep::layout {

bool names_picture(const std::string& path) { return path.ends_with(".svg") || path.ends_with(".png"); }

#if defined(LOCKSTEP_HAS_CAIRO)
bool draws_pictures() { return true; }

namespace {

constexpr double margin = 8;
constexpr std::size_t classes = 16;  // number of colours, one for each class of line lengths

cairo_status_t append(void* text, const unsigned char* bytes, unsigned size) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
    return CAIRO_STATUS_SUCCESS;
}

struct Line {
    double x[2], y[2], length;
};

/// Converts the edges to lines on the page, sorted from long to short, so that short lines are drawn above
/// long ones.
std::vector<Line> lines_of(const Graph& graph, const VertexPositions& places, int dimensions, double pixels,
                           double (&size)[2]) {
    const auto d = static_cast<std::size_t>(dimensions);
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (std::size_t i = 0; i < places.size(); i += d) {
        for (std::size_t k = 0; k < 2; ++k)
            low[k] = std::min(low[k], places[i + k]), high[k] = std::max(high[k], places[i + k]);
    }
    const double span =
        places.empty() ? 1 : std::max<double>({double{high[0]} - low[0], double{high[1]} - low[1], 1e-30});
    const double scale = (pixels - 2 * margin) / span;
    for (std::size_t k = 0; k < 2; ++k)
        size[k] = places.empty() ? 2 * margin : std::ceil((high[k] - low[k]) * scale + 2 * margin);
    std::vector<Line> lines;
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            Line line{};
            const float* const ends[] = {&places[d * u], &places[d * graph.col[e]]};
            for (std::size_t i = 0; i < 2; ++i)
                line.x[i] = margin + (ends[i][0] - low[0]) * scale,
                line.y[i] = size[1] - margin - (ends[i][1] - low[1]) * scale;
            line.length = std::hypot(line.x[0] - line.x[1], line.y[0] - line.y[1]);
            if (graph.col[e] != u) lines.push_back(line);
        }
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line& a, const Line& b) { return a.length > b.length; });
    return lines;
}

void draw_lines(cairo_t* page, const std::vector<Line>& lines) {
    cairo_set_source_rgb(page, 1, 1, 1);
    cairo_paint(page);
    cairo_set_line_width(page, std::clamp(40 / std::sqrt(static_cast<double>(lines.size() + 1)), 0.15, 1.2));
    cairo_set_line_cap(page, CAIRO_LINE_CAP_ROUND);
    for (std::size_t c = 0; c < classes; ++c) {
        const double t =
            static_cast<double>(c) / (classes - 1);  // 0: long and light blue; 1: short and dark red
        cairo_set_source_rgb(page, 0.45 + 0.25 * t, 0.65 - 0.55 * t, 0.85 - 0.7 * t);
        for (std::size_t i = lines.size() * c / classes; i < lines.size() * (c + 1) / classes; ++i) {
            cairo_move_to(page, lines[i].x[0], lines[i].y[0]);
            cairo_line_to(page, lines[i].x[1], lines[i].y[1]);
            if (i % 256 == 255) cairo_stroke(page);  // cairo is slow for paths with many lines
        }
        cairo_stroke(page);
    }
}

}  // namespace

void write_picture(const std::string& path, const Graph& graph, const VertexPositions& places, int dimensions,
                   int pixels) {
    double size[2];
    const std::vector<Line> lines = lines_of(graph, places, dimensions, pixels, size);
    std::string bytes;
    const bool svg = path.ends_with(".svg");
    cairo_surface_t* const surface =
        svg ? cairo_svg_surface_create_for_stream(append, &bytes, size[0], size[1])
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(size[0]),
                                         static_cast<int>(size[1]));
    cairo_t* const page = cairo_create(surface);
    draw_lines(page, lines);
    cairo_status_t status = cairo_status(page);
    cairo_destroy(page);
    if (!svg && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, append, &bytes);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) throw OutputError(path, cairo_status_to_string(status));
    AtomicFile file(path);
    if (const int error = file.write(0, bytes.data(), bytes.size()))
        throw OutputError(path, std::strerror(error));
    file.commit();
}
#else
bool draws_pictures() { return false; }
void write_picture(const std::string& path, const Graph&, const VertexPositions&, int, int) {
    throw OutputError(path, "this build cannot draw pictures, because it was built without cairo");
}
#endif

}  // namespace lockstep::layout
