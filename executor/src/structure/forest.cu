// Minimum spanning forests on a GPU (forest.hpp). The kernels of picks.cuh form the first trees, those of
// listing.cuh list the remaining edges, and the rounds of boruvka.cuh join trees along their lightest edges.
#include "lockstep/executor/structure/listing.cuh"
#include "lockstep/executor/structure/trees.cuh"

namespace lockstep::structure {

inline constexpr unsigned pick_most = 1024;  ///< maximum degree of the vertices that pick an arc

class DeviceForest {
public:
    DeviceForest(const Undirected& plan, ForestMethod picking, const RoundAxes& axes)
        : plan_(plan),
          picking_(picking),
          // A few light edges per vertex suffice to join nearly all vertices.
          wanted_(static_cast<int>(
              std::min(1024.0, 0.25 * 2048 * plan.vertices / static_cast<double>(plan.arcs() + 1)))),
          splits_(picking == ForestMethod::filtered && wanted_ < 64),
          graph_(upload(plan, arrays_)),
          parents_(plan.vertices),
          chosen_(plan.vertices),
          picks_(plan.vertices),
          words_(1),
          rounds_(plan, axes),
          tiles_(tiles_of(plan, rows_)) {}
    static EdgeId bytes_of(const Undirected& plan) {
        return plan.bytes() + 12 * EdgeId{plan.vertices} + bytes_of_tiles(plan) +
               BoruvkaRounds::bytes_of(plan);
    }

    Solution run() {
        const VertexId n = plan_.vertices;
        Solution solution;
        if (n == 0) return solution;
        ForestWords* const words = words_.data();
        const ForestState state{graph_, tiles_, parents_.data(), picks_.data(), chosen_.data(), words};
        gpu::Timer timer;
        LOCKSTEP_CUDA(cudaMemsetAsync(words, 0, sizeof *words));
        LOCKSTEP_CUDA(cudaMemsetAsync(&words->giant, 0xff, sizeof words->giant));
        for_vertices(pick_arcs, n, state, picking_ == ForestMethod::filtered ? pick_most : 0);
        if (picking_ == ForestMethod::filtered) {
            for_vertices(hook_by_picks, n, state);
            for_vertices(shorten, n, parents_.data(), n);
            if (splits_) {
                find_threshold<<<1, 1024>>>(state, plan_.arcs(), wanted_);
                list_light<<<tiles_.count, block_threads>>>(state, rounds_.edges());
                LOCKSTEP_CUDA(cudaGetLastError());
                rounds_.run(parents_.data(), chosen_.data(), words, 0);
                for_vertices(shorten, n, parents_.data(), n);
            }
            find_giant<<<1, 32>>>(graph_, parents_.data(), &words->giant);
        }
        list_rest<<<tiles_.count, block_threads>>>(state, rounds_.edges());
        LOCKSTEP_CUDA(cudaGetLastError());
        rounds_.run(parents_.data(), chosen_.data(), words, 1);
        solution.seconds = timer.seconds();
        const ForestWords found = words_.download()[0];
        solution.rounds = found.rounds;
        solution.values = edges_of_arcs(plan_, download(chosen_.data(), found.chosen));
        return solution;
    }

private:
    const Undirected& plan_;
    const ForestMethod picking_;
    const int wanted_;  ///< number of light arcs per 1,024 arcs
    const bool splits_;
    gpu::DeviceArrays arrays_;
    const UndirectedView graph_;
    gpu::Buffer<VertexId> parents_;
    gpu::Buffer<std::uint32_t> chosen_, picks_;
    gpu::Buffer<VertexId> rows_;
    gpu::Buffer<ForestWords> words_;
    BoruvkaRounds rounds_;
    const Tiles tiles_;
};

Runner forest_on_cuda(const Undirected& plan, ForestMethod picking, const RoundAxes& axes) {
    require_numbers(plan);
    return runner_of<DeviceForest>(DeviceForest::bytes_of(plan), plan, picking, axes);
}

}  // namespace lockstep::structure
