// Pictures as inline SVG: bars, stacked bars, lines. The functions only use numbers and labels, not runs.
//
// Text has a fixed size for every width of the window: only horizontal positions, given in percent, are
// stretched. Colours come from the page's style sheet by class, so that light and dark pages share one SVG.
#pragma once

#include <string>
#include <vector>

#include "axis.hpp"

namespace lockstep::report {

/// The texts of a picture for a person who cannot see it.
struct PictureText {
    std::string title, description;
};

struct LegendEntry {
    std::string label, classes;
    bool line = false;  ///< whether the symbol is a line, or a filled square
};
std::string legend_html(const std::vector<LegendEntry>& entries);
/// Returns a picture as a file of its own, `width` pixels wide, which contains its style, title and legend.
std::string standalone_svg(const std::string& title, const std::vector<LegendEntry>& legend,
                           const std::string& svg, const std::string& caption);

struct Bar {
    std::string label;
    struct Part {
        double length;
        std::string classes;
    };
    std::vector<Part> parts;  ///< one part, or a stack of several
    std::string text;         ///< the number as text
    double length() const;    ///< total length of all parts
};
/// Returns horizontal bars, each with its label above it. A bar longer than `limit` is visibly cut. A line is
/// drawn at `reference` (0: none).
std::string bars_svg(const PictureText& about, const std::vector<Bar>& bars, double limit,
                     double reference = 0);

struct Point {
    double x, y;
};
struct Line {
    std::string classes;
    std::vector<Point> points;
    bool dots = false;   ///< whether to mark the points
    bool joined = true;  ///< whether to draw the line between the points
};
/// A point with a text next to it.
struct Mark {
    Point at;
    std::string text, classes;
};
std::string lines_svg(const PictureText& about, const Axis& x, const Axis& y, const std::string& x_title,
                      const std::vector<Line>& lines, const std::vector<Mark>& marks = {});

}  // namespace lockstep::report
