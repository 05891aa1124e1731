// The cells of a group's table, shared by the text and the HTML report.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace lockstep::report {

/// A small table of formatted cells. Column 0 is a label; the columns named in `left` are text.
struct Cells {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> left{0};
    bool is_left(std::size_t column) const;
};

/// Where the time goes: preprocessing, load, transfer, execution a sweep and in total.
Cells split_cells(const Group& group);
/// What came of it: normalised time, break-even, throughput, errors, determinism, status.
Cells outcome_cells(const Group& group);
/// Of runs over active vertices: what a source took, and which filter made the list of each round. Without
/// rows where there are no such runs.
Cells rounds_cells(const Group& group);
/// The comparisons of all groups: a table for each title and device, a row for each graph.
struct NamedCells {
    std::string title;
    Cells cells;
};
std::vector<NamedCells> comparison_cells(const std::vector<Group>& groups);
/// A number of a comparison: "1.23 ×", "40,688".
std::string number_text(const Comparison& comparison, double number);
Cells geomean_cells(const std::vector<Geomean>& means);
Cells idle_cells(const std::vector<IdleSchedule>& idle);

/// An error, or a dash.
std::string rmse_text(double value);

/// "sgd · AMD EPYC, 2 threads · rank 16": of an application without vectors no rank.
std::string run_text(const Group& group, const std::string& driver = {});
/// "3 × 4 …": the size of a group's graph, its degrees and input class.
std::string graph_text(const Group& group);

}  // namespace lockstep::report
