// The report's figures: which numbers of the table are drawn, and how.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace lockstep::report {

/// A figure, ready for the page.
struct Figure {
    std::string title;
    std::string legend;  ///< HTML
    std::string svg;
    std::string caption;  ///< text: how to read it
    std::string table;    ///< HTML: the numbers of the picture
};

/// Time a sweep (normalised), split, error over time, break-even; one without data is left out.
std::vector<Figure> figures(const Group& group);
/// Geomeans of normalised times: one figure an input class, device and rank.
std::vector<Figure> figures(const std::vector<Geomean>& means);

}  // namespace lockstep::report
