#include "pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "markup.hpp"

namespace lockstep::report {
namespace {

std::string svg(const Described& about, double height, const std::string& content) {
    return fmt::format(
        "<svg role=\"img\" width=\"100%\" height=\"{}\" aria-label=\"{}\">"
        "<title>{}</title><desc>{}</desc>\n{}</svg>\n",
        height, escape(about.title), escape(about.title), escape(about.description), content);
}

std::string percent(double part) { return fmt::format("{:.3f}%", 100 * part); }

}  // namespace

std::string legend_html(const std::vector<LegendEntry>& entries) {
    std::string html = "<ul class=\"legend\">";
    for (const LegendEntry& entry : entries) {
        const char* shape = entry.line ? "<line x1=\"0\" y1=\"6\" x2=\"26\" y2=\"6\" class=\"line {}\"/>"
                                       : "<rect x=\"0\" y=\"1\" width=\"10\" height=\"10\" class=\"{}\"/>";
        html += fmt::format("<li><svg aria-hidden=\"true\" width=\"{}\" height=\"12\">{}</svg>{}</li>",
                            entry.line ? 26 : 10, fmt::format(fmt::runtime(shape), entry.classes),
                            escape(entry.label));
    }
    return html + "</ul>\n";
}

std::string bars_svg(const Described& about, const std::vector<Bar>& bars, double limit, double reference) {
    constexpr int pitch = 41, top = 4, thickness = 10;
    std::string content;
    int y = top;
    for (const Bar& bar : bars) {
        content += fmt::format(
            "<text x=\"0\" y=\"{0}\">{1}</text><text x=\"100%\" y=\"{0}\" class=\"number\">{2}</text>\n",
            y + 11, escape(bar.label), escape(bar.text));
        content += fmt::format("<rect x=\"0\" y=\"{}\" width=\"100%\" height=\"{}\" class=\"track\"/>",
                               y + 17, thickness);
        double start = 0;
        for (const Bar::Part& part : bar.parts) {
            const double end = std::min(start + part.length, limit);
            if (end > start) {
                content += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"/>",
                                       percent(start / limit), y + 17, percent((end - start) / limit),
                                       thickness, part.classes);
            }
            start += part.length;
        }
        if (start > limit * (1 + 1e-9)) {
            for (const char* gap : {"95%", "97.5%"}) {
                content += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"3\" height=\"{}\" class=\"gap\"/>",
                                       gap, y + 16, thickness + 2);
            }
        }
        content += '\n';
        y += pitch;
    }
    if (reference > 0 && reference <= limit) {
        // Dashed pieces beside the bars only, so that no label is struck through.
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const int from = top + pitch * static_cast<int>(i) + 15;
            content += fmt::format("<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" class=\"reference\"/>",
                                   percent(reference / limit), from, from + thickness + 4);
        }
    }
    return svg(about, y, content);
}

std::string lines_svg(const Described& about, const Axis& x, const Axis& y, const std::string& x_title,
                      const std::vector<Line>& lines, const std::vector<Mark>& marks) {
    constexpr int left = 56, top = 10, height = 260;
    const auto down = [&](double value) { return height * (1 - y.place(value)); };
    std::string outside, inside, curves;
    for (const Axis::Tick& tick : y.ticks) {
        outside += fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"number\">{}</text>\n", left - 8,
                               top + down(tick.value) + 4, escape(tick.text));
        inside += fmt::format("<line x1=\"0\" x2=\"100%\" y1=\"{0:.1f}\" y2=\"{0:.1f}\" class=\"grid\"/>\n",
                              down(tick.value));
    }
    for (const Axis::Tick& tick : x.ticks) {
        const std::string at = percent(x.place(tick.value));
        inside += fmt::format(
            "<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" class=\"tick\"/>"
            "<text x=\"{0}\" y=\"{3}\" class=\"middle\">{4}</text>\n",
            at, height, height + 5, height + 20, escape(tick.text));
    }
    for (const Line& line : lines) {
        std::string points;
        for (const Point& point : line.points) {
            points += fmt::format("{:.2f},{:.2f} ", 1000 * x.place(point.x), down(point.y));
            if (!line.dots) continue;
            inside += fmt::format("<circle cx=\"{}\" cy=\"{:.2f}\" r=\"2.5\" class=\"dot {}\"/>",
                                  percent(x.place(point.x)), down(point.y), line.classes);
        }
        curves += fmt::format("<polyline points=\"{}\" class=\"line {}\"/>\n", points, line.classes);
    }
    // Only this innermost part is stretched out of proportion; its strokes keep their width.
    inside += fmt::format(
        "<svg width=\"100%\" height=\"{0}\" viewBox=\"0 0 1000 {0}\" "
        "preserveAspectRatio=\"none\">\n{1}</svg>\n",
        height, curves);
    // Labels of neighbouring marks go to opposite sides.
    bool above = true;
    for (const Mark& mark : marks) {
        const double place = x.place(mark.at.x);
        inside += fmt::format(
            "<circle cx=\"{0}\" cy=\"{1:.2f}\" r=\"4\" class=\"dot {2}\"/>"
            "<text x=\"{0}\" y=\"{3:.2f}\" dx=\"{4}\" class=\"mark {5}\">{6}</text>\n",
            percent(place), down(mark.at.y), mark.classes, down(mark.at.y) + (above ? -8 : 20),
            above ? -4 : 4, above ? "number" : "", escape(mark.text));
        above = !above;
    }
    return svg(about, top + height + 46,
               outside + fmt::format("<svg class=\"area\" x=\"{}\" y=\"{}\" width=\"80%\" height=\"{}\" "
                                     "overflow=\"visible\">\n{}</svg>\n"
                                     "<text x=\"100%\" y=\"{}\" class=\"number quiet\">{}</text>\n",
                                     left, top, height, inside, top + height + 40, escape(x_title)));
}

}  // namespace lockstep::report
