// Colours a graph with two worklist algorithms, one by Iterate of an Exclusive and one by a Pipe
// (colouring.hpp), and checks the colours:
//     lockstep-preprocess web.txt -o web.h5 --shape square --undirected
//     colouring web.h5
#include "colouring.hpp"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>

#include "lockstep/executor/worklist/pipe.hpp"
#include "lockstep/formats/schedule_file.hpp"
#if defined(__CUDACC__)
#include "lockstep/executor/worklist/pipe.cuh"
#endif

using namespace lockstep;

using Colouring = std::vector<std::uint32_t>;

/// Returns true if no two neighbours have the same colour, and the colour of every vertex is at most its
/// number of neighbours.
bool is_right(const Graph& graph, const Colouring& colour) {
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (colour[v] > graph.edges_of(v).size()) return false;
        for (const EdgeId e : graph.edges_of(v)) {
            if (graph.col[e] != v && colour[graph.col[e]] == colour[v]) return false;
        }
    }
    return true;
}

/// Returns the colours that Exclusive (`exclusive`) or the Pipe computes on a CPU.
Colouring on_cpu(const Graph& graph, const std::vector<worklist::Item>& all, bool exclusive) {
    Colouring colour(graph.rows, no_colour);
    std::vector<worklist::Mark> marks(graph.rows);
    const Colours of{graph.row_offsets.data(), graph.col.data(), colour.data()};
    if (exclusive)
        worklist::iterate_on_cpu(all, omp_get_max_threads(), Greedy{of, marks.data()});
    else
        worklist::pipe_on_cpu(all, omp_get_max_threads(), Take{of}, Check{of});
    return colour;
}

#if defined(__CUDACC__)
Colouring on_gpu(const Graph& graph, const std::vector<worklist::Item>& all, bool exclusive,
                 worklist::Loop loop) {
    const gpu::Buffer<EdgeId> begin(std::span<const EdgeId>(graph.row_offsets));
    const gpu::Buffer<VertexId> to(std::span<const VertexId>(graph.col));
    const gpu::Buffer<std::uint32_t> colour(Colouring(graph.rows, no_colour));
    const gpu::Buffer<worklist::Mark> marks(std::vector<worklist::Mark>(graph.rows));
    const Colours of{begin.data(), to.data(), colour.data()};
    if (exclusive)
        worklist::iterate_on_cuda(all, graph.rows, loop, Greedy{of, marks.data()});
    else
        worklist::pipe_on_cuda(all, graph.rows, loop, Take{of}, Check{of});
    return colour.download();
}
#endif

int main(int, char** argv) try {
    const ScheduleFile file = read_schedule_file(argv[1]);
    const Graph& graph = file.dataset.graph;
    std::vector<worklist::Item> all(graph.rows);
    std::iota(all.begin(), all.end(), 0U);
    const Colouring colour = on_cpu(graph, all, true);
    bool right = is_right(graph, colour) && is_right(graph, on_cpu(graph, all, false));
#if defined(__CUDACC__)
    if (int devices = 0; cudaGetDeviceCount(&devices) == cudaSuccess && devices) {
        for (const auto loop : {worklist::Loop::host, worklist::Loop::outlined})
            right = right && on_gpu(graph, all, true, loop) == colour &&
                    is_right(graph, on_gpu(graph, all, false, loop));
        std::cout << "CPU and GPU, ";
    }
#endif
    std::cout << graph.rows << " vertices, " << std::set(colour.begin(), colour.end()).size()
              << " colours: " << (right ? "right" : "wrong") << " by Exclusive and by a Pipe\n";
    return right ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "colouring: " << error.what() << '\n';
    return 1;
}
