#include "regions.hpp"

#include <numeric>

namespace lockstep {

Neighbours::Neighbours(const EdgeEnds& ends)
    : first_(EdgeId{ends.vertices} + 2, 0), all_(2 * ends.row.size()) {
    const EdgeId edges = ends.row.size();
    for (EdgeId e = 0; e < edges; ++e) ++first_[ends.row[e] + EdgeId{2}], ++first_[ends.col[e] + EdgeId{2}];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    for (EdgeId e = 0; e < edges; ++e) {
        all_[first_[ends.row[e] + EdgeId{1}]++] = ends.col[e];
        all_[first_[ends.col[e] + EdgeId{1}]++] = ends.row[e];
    }
    first_.pop_back();
}

RegionSize region_size(const SharedMemoryOptions& options) {
    options.require_device();
    constexpr EdgeId place_bytes = 4, record_bytes = 8, other_bytes = 2 << 10;
    const EdgeId vector_bytes = (options.rank * EdgeId{options.half_precision ? 2U : 4U} + 15) / 16 * 16;
    const EdgeId capacity = options.shared_memory_bytes / options.regions_per_multiprocessor;
    return {capacity > other_bytes ? capacity - other_bytes : capacity, vector_bytes + place_bytes,
            record_bytes};
}

Regions grow_regions(const EdgeEnds& ends, const RegionSize& size) {
    constexpr VertexId free = ~VertexId{0}, waiting = free - 1;
    const Neighbours neighbours(ends);
    Regions regions;
    Array<VertexId>& region = regions.of_vertex;
    region.assign(ends.vertices, free);
    std::vector<VertexId> queue;
    EdgeId taken = 0;
    std::size_t head = 0;
    for (VertexId seed = 0;;) {
        if (head == queue.size()) {
            queue.clear(), head = 0;
            while (seed < ends.vertices && region[seed] != free) ++seed;
            if (seed == ends.vertices) break;
            region[seed] = waiting;
            queue.push_back(seed);
        }
        const VertexId v = queue[head++];
        EdgeId inside = 0, loop_ends = 0;
        for (const VertexId* n = neighbours.begin(v); n != neighbours.end(v); ++n) {
            inside += region[*n] == regions.count;
            loop_ends += *n == v;
            if (region[*n] == free) region[*n] = waiting, queue.push_back(*n);
        }
        const EdgeId bytes = size.vertex_bytes + (inside + loop_ends / 2) * size.edge_bytes;
        // The region is full. The vertices in the queue become free again, for other regions.
        if (taken > 0 && taken + bytes > size.capacity) {
            for (std::size_t i = head - 1; i < queue.size(); ++i) region[queue[i]] = free;
            queue.clear(), head = 0;
            ++regions.count, taken = 0;
            continue;
        }
        region[v] = regions.count;
        taken += bytes;
    }
    regions.count += taken > 0;
    return regions;
}

}  // namespace lockstep
