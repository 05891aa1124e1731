// The independent verifier of phases of rows. It relies only on the definitions in rows.hpp, and calls no
// function of the builder.
#include <omp.h>

#include <algorithm>

#include "lockstep/schedules/parallel_errors.hpp"
#include "lockstep/schedules/rows.hpp"

namespace lockstep {

namespace {

/// Returns a description of the first error in the offsets, or of a row that does not occur exactly once, or
/// an empty string.
std::string find_uncovered(EdgeId rows, const Batches& batches) {
    if (batches.offsets.empty() || batches.offsets.front() != 0 ||
        batches.offsets.back() != batches.order.size() ||
        !std::is_sorted(batches.offsets.begin(), batches.offsets.end()))
        return "the offsets of the phases do not increase from 0 to the number of rows";
    std::vector<std::uint8_t> seen(rows, 0);
    bool known = true;
#pragma omp parallel for schedule(static) reduction(&& : known)
    for (EdgeId i = 0; i < batches.order.size(); ++i) {
        known = known && batches.order[i] < rows;
        if (batches.order[i] < rows) {
            std::uint8_t& count = seen[batches.order[i]];
#pragma omp atomic
            count |= 1;
        }
    }
    if (!known) return "the phases contain a row that the pattern does not have";
    const auto missing = std::find(seen.begin(), seen.end(), 0);
    if (missing != seen.end()) return "row " + std::to_string(missing - seen.begin()) + " is in no phase";
    if (batches.order.size() != rows) return "a row is in the phases twice";
    return {};
}

/// Finds conflicts in groups of consecutive phases. For each column, bit i is set if a row of the group's
/// phase i has written the column.
class ConflictSearch {
public:
    ConflictSearch(const RowPattern& pattern, const Batches& batches, const Array<std::uint32_t>& phase)
        : pattern_(pattern), batches_(batches), phase_(phase), written_(pattern.column_count) {}

    /// Searches the phases first … last - 1, at most 64. Keeps the conflict with the smallest row.
    void search(EdgeId first, EdgeId last) {
        ++group_;
        if (pattern_.writes == RowPattern::own)
            for_each_row(first, last, [&](EdgeId r, std::uint64_t bit) { bits(r) |= bit; });
        for_each_row(first, last, [&](EdgeId r, std::uint64_t bit) {
            for (const VertexId c : pattern_.row(r)) {
                const bool is_own = pattern_.writes == RowPattern::own && c == r;
                if ((bits(c) & bit) && !is_own && (pattern_.fixed.empty() || !pattern_.fixed[c]) && r < row)
                    row = r, column = c;
            }
            if (pattern_.writes == RowPattern::all)
                for (const VertexId c : pattern_.row(r)) bits(c) |= bit;
        });
    }

    /// The row and the column of the conflict; the row is ~0 if there is none. The other row of the conflict
    /// is in the same phase.
    EdgeId row = ~EdgeId{0};
    VertexId column = 0;

private:
    struct Written {
        std::uint64_t bits = 0;
        EdgeId group = 0;  // the bits are those of an earlier group if this is not group_
    };
    std::uint64_t& bits(EdgeId c) {
        Written& written = written_[c];
        if (written.group != group_) written = {0, group_};
        return written.bits;
    }
    /// Calls visit(row, bit of its phase) for the rows of a group. If there are few groups, the rows are
    /// visited in ascending order, because the rows of one phase are far apart in memory.
    template <class Visit>
    void for_each_row(EdgeId first, EdgeId last, Visit visit) {
        if (8 * (last - first) >= batches_.offsets.size()) {
            for (EdgeId r = 0; r < phase_.size(); ++r)
                if (phase_[r] >= first && phase_[r] < last) visit(r, std::uint64_t{1} << (phase_[r] - first));
        } else {
            for (EdgeId i = batches_.offsets[first]; i < batches_.offsets[last]; ++i)
                visit(batches_.order[i], std::uint64_t{1} << (phase_[batches_.order[i]] - first));
        }
    }

    const RowPattern& pattern_;
    const Batches& batches_;
    const Array<std::uint32_t>& phase_;
    std::vector<Written> written_;
    EdgeId group_ = 0;
};

/// Describes the conflict of row `second` at a column.
std::string describe(const RowPattern& pattern, const Batches& batches, EdgeId phase, EdgeId second,
                     VertexId column) {
    EdgeId first = column;
    for (EdgeId i = batches.offsets[phase]; pattern.writes == RowPattern::all; ++i) {
        first = batches.order[i];
        const std::span<const VertexId> row = pattern.row(first);
        if (first != second && std::find(row.begin(), row.end(), column) != row.end()) break;
    }
    return "rows " + std::to_string(std::min(first, second)) + " and " +
           std::to_string(std::max(first, second)) + " of phase " + std::to_string(phase) +
           " both use column " + std::to_string(column);
}

}  // namespace

std::string verify_rows(const RowPattern& pattern, const Batches& batches) {
    if (std::string found = find_uncovered(pattern.rows(), batches); !found.empty()) return found;
    const EdgeId phases = batches.offsets.size() - 1;
    Array<std::uint32_t> phase(pattern.rows());
#pragma omp parallel for schedule(dynamic, 1)
    for (EdgeId p = 0; p < phases; ++p)
        for (EdgeId i = batches.offsets[p]; i < batches.offsets[p + 1]; ++i)
            phase[batches.order[i]] = static_cast<std::uint32_t>(p);
    const auto threads = static_cast<EdgeId>(omp_get_max_threads());
    const EdgeId width = std::clamp<EdgeId>((phases + threads - 1) / threads, 1, 64),
                 groups = (phases + width - 1) / width;
    EdgeId row = ~EdgeId{0};
    VertexId column = 0;
    ParallelErrors errors;
#pragma omp parallel num_threads(static_cast <int>(std::min(groups + 1, threads)))
    errors.run([&] {
        ConflictSearch conflicts(pattern, batches, phase);
#pragma omp for schedule(dynamic, 1) nowait
        for (EdgeId g = 0; g < groups; ++g) conflicts.search(g * width, std::min((g + 1) * width, phases));
#pragma omp critical(lockstep_verify_rows)
        if (conflicts.row < row) row = conflicts.row, column = conflicts.column;
    });
    errors.rethrow();
    return row == ~EdgeId{0} ? std::string() : describe(pattern, batches, phase[row], row, column);
}

}  // namespace lockstep
