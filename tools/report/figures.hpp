// The figures of the report: the numbers of the table that are drawn, and the kind of picture.
#pragma once

#include <string>
#include <vector>

#include "columns.hpp"
#include "pictures.hpp"

namespace lockstep::report {

/// A figure of the page.
struct Figure {
    std::string title;
    std::vector<LegendEntry> legend;
    std::string svg;
    std::string caption;  ///< text that explains how to read the figure
    std::string table;    ///< HTML table with the numbers of the picture
};

/// Returns a figure of horizontal bars. If a few bars are far longer than the others they are cut, and the
/// caption mentions it.
Figure bars_figure(const std::string& title, const std::string& where, const std::string& description,
                   const std::vector<LegendEntry>& legend, const std::vector<Bar>& bars, double reference,
                   const std::string& caption, const Cells& cells);

/// Returns the figures of a group: time per sweep (normalised), split of the time, error over time,
/// break-even. Figures without data are left out.
std::vector<Figure> figures(const Group& group);
/// Returns two of these figures: error over time and break-even. A figure without data has an empty picture.
std::vector<Figure> line_figures(const Group& group, const std::vector<const Row*>& rows);
/// Returns the figures of runs over active vertices: every comparison, and the number of active vertices per
/// round.
std::vector<Figure> frontier_figures(const Group& group);
/// Returns the figures of a device: atomic throughput, barriers, dependent updates.
std::vector<Figure> figures(const insight::Probe& probe);
/// Returns the speed-up of the hybrid strategies over EL by input class. Figures without data are left out.
std::vector<Figure> hybrid_figures(const std::vector<Geomean>& means);
/// Returns the figures that compare predicted with measured times, for all rows; none if there are no
/// predictions.
std::vector<Figure> forecast_figures(const Table& table);
/// Returns the geomeans of normalised times: one figure per input class, device and rank.
std::vector<Figure> figures(const std::vector<Geomean>& means);

/// Returns the figures about several data sets: geomeans, hybrids, predictions.
std::vector<Figure> overall_figures(const Table& table);

}  // namespace lockstep::report
