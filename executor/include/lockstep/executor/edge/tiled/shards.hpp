// Exchanges the vectors of a tiled plan between several processes that run it on CPUs. Each process has some
// consecutive shares of the columns and, at first, the row groups with the same indices (tile_grid.hpp).
// After all laps of a row group, a process sends its first row group to the previous process and receives one
// from the next process, as the devices of one process do (devices.cuh). At the end of a sweep, every row
// group is back in its first process.
//
// Every process has memory for the vectors of all vertices, but only the vectors of the shares and row groups
// that it currently has are valid. gather() makes all vectors valid.
#pragma once

#include <cstring>

#include "lockstep/executor/edge/tiled/plan.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep::cpu {

class Shards {
public:
    /// `rows` and `cols` are the addresses of the vectors of the plan's rows and columns, in the order of the
    /// vertices.
    Shards(const TiledPlan& plan, std::byte* rows, std::byte* cols, EdgeId vector_bytes)
        : plan_(plan), rows_(rows), cols_(cols), vector_bytes_(vector_bytes) {}

    EdgeId first_share(int rank) const { return ranks().share(plan_.grid.groups, rank); }

    /// Exchanges row groups after super-stratum `s`, if it was the last lap of its row groups.
    void exchange_groups(EdgeId s) {
        if (plan_.grid.stays(s)) return;
        const int count = ranks().count(), rank = ranks().rank();
        const int before = (rank + count - 1) % count, behind = (rank + 1) % count;
        const auto rows_of = [&](int r) {
            const EdgeId g = plan_.grid.user_group(first_share(r), s), blocks = plan_.grid.user_blocks;
            return std::pair{plan_.row_parts[g * blocks], plan_.row_parts[(g + 1) * blocks]};
        };
        const auto [first, last] = rows_of(rank);
        const auto [first_in, last_in] = rows_of(behind);
        const std::vector<std::byte> out = packed(rows_, plan_.row_order, first, last);
        std::vector<std::byte> in((last_in - first_in) * vector_bytes_);
        ranks().shift(out, before, in, behind);
        unpack(in, rows_, plan_.row_order, first_in);
    }

    /// Copies the vectors of each process to all other processes. It may only be called between sweeps.
    void gather() {
        for (int r = 0; r < ranks().count(); ++r) {
            share(r, rows_, plan_.row_order, plan_.row_parts, plan_.grid.user_blocks);
            share(r, cols_, plan_.col_order, plan_.col_parts, plan_.grid.laps * plan_.grid.item_blocks);
        }
    }

private:
    void share(int from, std::byte* vectors, const std::vector<VertexId>& order,
               const std::vector<EdgeId>& parts, EdgeId blocks) {
        const EdgeId first = parts[first_share(from) * blocks], last = parts[first_share(from + 1) * blocks];
        std::vector<std::byte> some((last - first) * vector_bytes_);
        if (from == ranks().rank()) some = packed(vectors, order, first, last);
        ranks().broadcast(some, from);
        if (from != ranks().rank()) unpack(some, vectors, order, first);
    }
    /// Returns a copy of the vectors at the positions [first, last) of `order`, in consecutive memory.
    std::vector<std::byte> packed(const std::byte* vectors, const std::vector<VertexId>& order, EdgeId first,
                                  EdgeId last) const {
        std::vector<std::byte> some((last - first) * vector_bytes_);
#pragma omp parallel for schedule(static)
        for (EdgeId i = first; i < last; ++i)
            std::memcpy(some.data() + (i - first) * vector_bytes_, vectors + order[i] * vector_bytes_,
                        vector_bytes_);
        return some;
    }
    void unpack(const std::vector<std::byte>& some, std::byte* vectors, const std::vector<VertexId>& order,
                EdgeId first) const {
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < some.size() / vector_bytes_; ++i)
            std::memcpy(vectors + order[first + i] * vector_bytes_, some.data() + i * vector_bytes_,
                        vector_bytes_);
    }

    const TiledPlan& plan_;
    std::byte *rows_, *cols_;
    EdgeId vector_bytes_;
};

}  // namespace lockstep::cpu
