// Triangle counting on a GPU (triangles.hpp): first every edge is kept at one of its endpoints, then a kernel
// of the chosen method counts.
#include "lockstep/executor/structure/triangles/by_bits.cuh"

namespace lockstep::structure {

__global__ void __launch_bounds__(block_threads)
    counts_by_vertex(const unsigned long long* by_rank, const VertexId* rank, VertexId vertices,
                     unsigned long long* counts) {
    const VertexId v = vertex_of_thread();
    if (v < vertices) counts[v] = by_rank[rank[v]];
}

/// A graph in device memory, with the arrays for finding its triangles.
class DeviceTriangles {
public:
    DeviceTriangles(const Undirected& plan, const IntersectionOptions& intersection, bool by_vertex)
        : plan_(plan),
          intersection_(intersection),
          vertices_(plan.vertices),
          row_count_(intersection.bits && intersection.hubs ? std::min(vertices_, max_rows) : 0),
          by_vertex_(by_vertex),
          orientation_(plan, intersection.bits ? intersection.hubs : 0, intersection.bits),
          rows_(EdgeId{row_count_} * (intersection.hubs / 128)),
          drawn_(1),
          counts_(1 + (by_vertex ? EdgeId{2} * vertices_ : 0)) {}

    static EdgeId bytes_of(const Undirected& plan, const IntersectionOptions& intersection, bool by_vertex) {
        return Orientation::bytes_of(plan) + (by_vertex ? 16 * EdgeId{plan.vertices} : 0) +
               (intersection.bits ? EdgeId{std::min(plan.vertices, max_rows)} * (intersection.hubs / 8) : 0);
    }

    Solution run() {
        gpu::Timer timer;
        orientation_.make();
        const KeptView kept = orientation_.view();
        unsigned long long* const of_vertices = by_vertex_ ? counts_.data() + 1 : nullptr;
        const CountsView counts{counts_.data(), of_vertices};
        const BitsView bits{kept, rows_.data(), row_count_, drawn_.data(), counts};
        if (row_count_) {
            make_rows<<<blocks_for(EdgeId{row_count_} * 32), block_threads,
                        block_threads / 32 * intersection_.hubs / 8>>>(bits);
            LOCKSTEP_CUDA(cudaGetLastError());
        }
        Solution solution;
        solution.rounds = 1;
        solution.preparation = timer.seconds();
        counts_.zero(), drawn_.zero();
        if (intersection_.bits) {
            if (by_vertex_)
                launch(count_by_bits<true>, bits);
            else
                launch(count_by_bits<false>, bits);
        } else {
            const auto kernel = by_vertex_ ? count_by_lists<true> : count_by_lists<false>;
            for_vertices(kernel, vertices_, kept, intersection_.shares, counts);
        }
        const unsigned long long* found = counts_.data();
        if (by_vertex_) {
            found = of_vertices;
            if (intersection_.bits) {
                found = of_vertices + vertices_;
                for_vertices(counts_by_vertex, vertices_, of_vertices, kept.rank, vertices_,
                             of_vertices + vertices_);
            }
        }
        solution.seconds = timer.seconds();
        const auto* const counted = reinterpret_cast<const std::uint64_t*>(found);
        const std::vector<std::uint64_t> numbers = download(counted, by_vertex_ ? vertices_ : 1);
        solution.values = by_vertex_ ? words_by_vertex(plan_, numbers) : as_words(numbers);
        return solution;
    }

private:
    template <class Kernel>
    void launch(Kernel kernel, const BitsView& bits) const {
        const EdgeId shared = 4 * (EdgeId{block_threads / 32} * words_of_warp(bits.kept.hubs) +
                                   (by_vertex_ ? bits.kept.hubs : 0));
        gpu::launch(kernel, {block_threads, 8}, shared, bits);
    }

    const Undirected& plan_;
    IntersectionOptions intersection_;
    VertexId vertices_, row_count_;
    bool by_vertex_;
    Orientation orientation_;
    gpu::Buffer<uint4> rows_;
    gpu::Buffer<unsigned> drawn_;
    gpu::Buffer<unsigned long long> counts_;
};

Runner triangles_on_cuda(const Undirected& plan, const IntersectionOptions& intersection, bool by_vertex) {
    if (plan.arcs() == 0) return triangles_on_cpu(plan, by_vertex, 1);
    if (plan.arcs() >> 33)
        throw Error(Failure::bad_input, "triangles on a GPU are limited to graphs of 2^32 edges");
    return runner_of<DeviceTriangles>(DeviceTriangles::bytes_of(plan, intersection, by_vertex), plan,
                                      intersection, by_vertex);
}

}  // namespace lockstep::structure
