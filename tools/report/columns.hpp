// The cells of the tables of a group, used by the text and the HTML report.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace lockstep::report {

/// A small table of formatted cells. Column 0 is a label; the columns in `left` are left-aligned text.
struct Cells {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> left{0};
    bool is_left(std::size_t column) const;
};

/// Returns the table of times: preprocessing, load, transfer, execution per sweep and in total.
Cells split_cells(const Group& group);
/// Returns the table of outcomes: normalised time, break-even, throughput, errors, determinism, status.
Cells outcome_cells(const Group& group);
/// Returns the table of runs over active vertices: the time per source, and the filter that made the list of
/// each round. It has no rows if there are no such runs.
Cells rounds_cells(const Group& group);
/// The comparisons of all groups: one table per title and device, one row per graph.
struct NamedCells {
    std::string title;
    Cells cells;
};
std::vector<NamedCells> comparison_cells(const std::vector<Group>& groups);
Cells geomean_cells(const std::vector<Geomean>& means);
Cells idle_cells(const std::vector<IdleSchedule>& idle);

/// Describes the runs of a group: "sgd · AMD EPYC, 2 threads · rank 16". An application without vectors has
/// no rank.
std::string run_text(const Group& group, const std::string& driver = {});
/// Describes the graph of a group: its size "3 × 4 …", its degrees and its input class.
std::string graph_text(const Group& group);

}  // namespace lockstep::report
