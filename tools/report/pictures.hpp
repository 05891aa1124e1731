// Pictures as inline SVG: bars, stacked bars, lines. They know numbers and labels, not runs.
//
// Text has a fixed size whatever the window's width: only horizontal positions, given in percent,
// stretch. Colours come from the page's style sheet by class, so that light and dark share one SVG.
#pragma once

#include <string>
#include <vector>

#include "axis.hpp"

namespace lockstep::report {

/// What a person who cannot see the picture is told.
struct Described {
    std::string title, description;
};

struct LegendEntry {
    std::string label, classes;
    bool line = false;  ///< a line, or a filled square
};
std::string legend_html(const std::vector<LegendEntry>& entries);
/// A picture as a file of its own, `width` pixels wide, with its style, title and legend in it.
std::string standalone_svg(const std::string& title, const std::vector<LegendEntry>& legend,
                           const std::string& svg, const std::string& caption);

struct Bar {
    std::string label;
    struct Part {
        double length;
        std::string classes;
    };
    std::vector<Part> parts;  ///< one, or a stack
    std::string text;         ///< the number, as shown
    double length() const;    ///< of all parts
};
/// Horizontal bars, the label above each. A bar beyond `limit` is cut, visibly. `reference` draws a
/// line there (0: none).
std::string bars_svg(const Described& about, const std::vector<Bar>& bars, double limit,
                     double reference = 0);

struct Point {
    double x, y;
};
struct Line {
    std::string classes;
    std::vector<Point> points;
    bool dots = false;   ///< mark the points
    bool joined = true;  ///< draw the line between them
};
/// A point with a word beside it.
struct Mark {
    Point at;
    std::string text, classes;
};
std::string lines_svg(const Described& about, const Axis& x, const Axis& y, const std::string& x_title,
                      const std::vector<Line>& lines, const std::vector<Mark>& marks = {});

}  // namespace lockstep::report
