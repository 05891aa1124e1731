// The report's figures: which numbers of the table are drawn, and how.
#pragma once

#include <string>
#include <vector>

#include "columns.hpp"
#include "pictures.hpp"

namespace lockstep::report {

/// A figure, ready for the page.
struct Figure {
    std::string title;
    std::vector<LegendEntry> legend;
    std::string svg;
    std::string caption;  ///< text: how to read it
    std::string table;    ///< HTML: the numbers of the picture
};

/// Horizontal bars. Where a few are far longer they are cut, and the caption says so.
Figure bars_figure(const std::string& title, const std::string& where, const std::string& description,
                   const std::vector<LegendEntry>& legend, const std::vector<Bar>& bars, double reference,
                   const std::string& caption, const Cells& cells);

/// Time a sweep (normalised), split, error over time, break-even; one without data is left out.
std::vector<Figure> figures(const Group& group);
/// Of these, the error over time and break-even; one without data has an empty picture.
std::vector<Figure> line_figures(const Group& group, const std::vector<const Row*>& rows);
/// Of runs over active vertices: every comparison, and the active vertices of each round.
std::vector<Figure> frontier_figures(const Group& group);
/// Of a device: atomic throughput, barriers, dependent updates.
std::vector<Figure> figures(const insight::Probe& probe);
/// Speed-up of the hybrid strategies over EL by input class; one without data is left out.
std::vector<Figure> hybrid_figures(const std::vector<Geomean>& means);
/// Predicted against measured time of all rows; none without predictions.
std::vector<Figure> forecast_figures(const Table& table);
/// Geomeans of normalised times: one figure an input class, device and rank.
std::vector<Figure> figures(const std::vector<Geomean>& means);

/// Those of several data sets together: geomeans, hybrids, predictions.
std::vector<Figure> overall_figures(const Table& table);

}  // namespace lockstep::report
