#include "resident_blocks.hpp"

#include <algorithm>

namespace lockstep {

std::vector<VertexId> assign_blocks(Schedule& schedule, VertexId cols, VertexId workers) {
    if (workers == 0) throw ScheduleError("a block needs at least one worker", Failure::usage);
    const EdgeId blocks = (schedule.residents.size() + workers - 1) / workers;
    std::vector<VertexId> block(cols, static_cast<VertexId>(blocks));
    schedule.resident_offsets.assign(1, 0);
    for (EdgeId first = 0; first < schedule.residents.size(); first += workers) {
        const EdgeId last = std::min<EdgeId>(first + workers, schedule.residents.size());
        for (EdgeId i = first; i < last; ++i)
            block[schedule.residents[i]] = static_cast<VertexId>(first / workers);
        schedule.resident_offsets.push_back(last);
    }
    return block;
}

}  // namespace lockstep
