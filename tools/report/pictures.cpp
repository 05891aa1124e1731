#include "pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "markup.hpp"
#include "style.hpp"

namespace lockstep::report {
namespace {

std::string svg(const PictureText& about, double height, const std::string& content) {
    return fmt::format(
        "<svg role=\"img\" width=\"100%\" height=\"{}\" aria-label=\"{}\">"
        "<title>{}</title><desc>{}</desc>\n{}</svg>\n",
        height, escape(about.title), escape(about.title), escape(about.description), content);
}

int sign_width(const LegendEntry& entry) { return entry.line ? 26 : 10; }

/// Returns the symbol of a legend entry, centred at height `y`.
std::string sign(const LegendEntry& entry, int x, int y) {
    return entry.line ? fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"line {}\"/>", x, y,
                                    x + sign_width(entry), y, entry.classes)
                      : fmt::format("<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" class=\"{}\"/>", x,
                                    y - 5, entry.classes);
}

std::string percent(double part) { return fmt::format("{:.3f}%", 100 * part); }

}  // namespace

std::string legend_html(const std::vector<LegendEntry>& entries) {
    std::string html = "<ul class=\"legend\">";
    for (const LegendEntry& entry : entries) {
        html += fmt::format("<li><svg aria-hidden=\"true\" width=\"{}\" height=\"12\">{}</svg>{}</li>",
                            sign_width(entry), sign(entry, 0, 6), escape(entry.label));
    }
    return html + "</ul>\n";
}

std::string standalone_svg(const std::string& title, const std::vector<LegendEntry>& legend,
                           const std::string& svg, const std::string& caption) {
    constexpr int width = 760, margin = 20, letter = 7;
    const auto at = svg.find("height=\"");
    const int height = at == std::string::npos ? 0 : std::atoi(svg.c_str() + at + 8);
    std::string content = fmt::format(
        "<rect width=\"{}\" height=\"100%\" fill=\"var(--page)\"/>\n<text x=\"{}\" y=\"28\" "
        "style=\"font-size:17px;font-weight:650\">{}</text>\n",
        width, margin, escape(title));
    int x = margin, y = 54;
    for (const LegendEntry& entry : legend) {
        const int mark = sign_width(entry),
                  length = mark + 7 + letter * static_cast<int>(entry.label.size()) + 16;
        if (x + length > width - margin && x > margin) x = margin, y += 20;
        content += sign(entry, x, y - 4);
        content += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x + mark + 7, y, escape(entry.label));
        x += length;
    }
    y += legend.empty() ? -10 : 18;
    content += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{}</svg>\n", margin, y,
                           width - 2 * margin, height, svg);
    y += height + 20;
    for (std::size_t begin = 0; begin < caption.size();) {  // lines of about 100 characters
        std::size_t end = std::min(caption.size(), begin + 100);
        if (end < caption.size()) {
            const auto space = caption.rfind(' ', end);
            if (space != std::string::npos && space > begin) end = space;
        }
        content += fmt::format("<text x=\"{}\" y=\"{}\" class=\"quiet\">{}</text>\n", margin, y,
                               escape(caption.substr(begin, end - begin)));
        y += 18, begin = end + 1;
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "role=\"img\">\n<!-- lockstep-report -->\n"
        "<style>{2}\ntext {{ font-family: system-ui, \"DejaVu Sans\", sans-serif }}</style>\n{3}</svg>\n",
        width, y, style_sheet, content);
}

double Bar::length() const {
    double sum = 0;
    for (const Part& part : parts) sum += part.length;
    return sum;
}

std::string bars_svg(const PictureText& about, const std::vector<Bar>& bars, double limit, double reference) {
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
        // The reference line is drawn only next to the bars, so that it crosses no label.
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const int from = top + pitch * static_cast<int>(i) + 15;
            content += fmt::format("<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" class=\"reference\"/>",
                                   percent(reference / limit), from, from + thickness + 4);
        }
    }
    return svg(about, y, content);
}

std::string lines_svg(const PictureText& about, const Axis& x, const Axis& y, const std::string& x_title,
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
        if (line.joined)
            curves += fmt::format("<polyline points=\"{}\" class=\"line {}\"/>\n", points, line.classes);
    }
    // Only this innermost part is stretched horizontally; its strokes keep their width.
    inside += fmt::format(
        "<svg width=\"100%\" height=\"{0}\" viewBox=\"0 0 1000 {0}\" "
        "preserveAspectRatio=\"none\">\n{1}</svg>\n",
        height, curves);
    // Labels of neighbouring marks are placed on opposite sides.
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
