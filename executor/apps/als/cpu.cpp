// Implicit ALS on a CPU. Each thread solves for one vector at a time, and processes eight floats per SIMD
// register.
#include <omp.h>

#include <algorithm>
#include <chrono>

#include "apps/als/normal_equations.hpp"
#include "apps/als/solver.hpp"
#include "lockstep/executor/pack.hpp"

namespace lockstep::als {

namespace {

/// The Team (see normal_equations.hpp) that solves one system on a CPU: one thread.
struct Thread {
    using Number = Pack;
    static constexpr int width = 8, across = 2,
                         /// The size of a system is rounded up to a multiple of this number.
        unknowns = width * across;

    static Pack all(float x) { return Pack::all(x); }
    static Pack load(const float* from) { return Pack::load(from); }
    static void store(float* to, Pack x) { x.store(to); }
    void sync() const {}
    template <class F>
    void once(F f) const {
        f();
    }
    template <class F>
    void each(int from, int to, F f) const {
        for (int j = from / width * width; j < to; j += width) f(j);
    }
    template <class F>
    void after(int p, int size, F f) const {
        for (int j = p + 1; j < size; ++j) f(j);
    }
    template <class F>
    void before(int p, F f) const {
        for (int i = 0; i < p; ++i) f(i);
    }
    template <class F>
    void rows(int from, int to, int size, F f) const {
        for (int i = from; i < to; ++i) each(i, size, [&](int j) { f(i, j); });
    }
    template <class F>
    void tiles(int size, int from, F f) const {
        for (int i = from; i < size; i += tile) {
            for (int j = i / unknowns * unknowns; j < size; j += unknowns) f(i, j);
        }
    }
    void gather(const System& s, const Vectors& vectors, const Edges& edges, EdgeId first, int count) const {
        for (int e = 0; e < count; ++e) {
            float* const to = s.near + e * s.size;
            std::copy_n(vectors.at + edges.end(first + static_cast<EdgeId>(e)) * vectors.stride, vectors.rank,
                        to);
            std::fill(to + vectors.rank, to + s.size, 0.0F);
            if (!edges.weights) continue;
            const Pack w = all(edges.weights[first + static_cast<EdgeId>(e)]);
            each(0, s.size, [&](int j) { store(s.weighted + e * s.size + j, multiply(w, load(to + j))); });
        }
    }
    /// Calls f(e, product) for each vector e of a chunk, where product is the dot product of e and s.x. The
    /// components with equal index modulo 8 are added first; then the eight sums are added in a tree.
    template <class F>
    void products(const System& s, int count, F f) const {
        for (int e = 0; e < count; ++e) {
            Pack sum = all(0);
            each(0, s.size,
                 [&](int j) { sum = fused_multiply_add(load(s.near + e * s.size + j), load(s.x + j), sum); });
            float part[width];
            sum.store(part);
            for (int half = width / 2; half > 0; half /= 2) {
                for (int i = 0; i < half; ++i) part[i] = add(part[i], part[i + half]);
            }
            f(e, part[0]);
        }
    }
};

class Cpu {
public:
    Cpu(const Problem& problem, Factors initial, int threads)
        : problem_(problem),
          factors_(std::move(initial)),
          threads_(threads),
          rank_(static_cast<int>(problem.settings.rank)),
          block_(problem.settings.block()),
          size_((rank_ + Thread::unknowns - 1) / Thread::unknowns * Thread::unknowns),
          gram_(entries()),
          partial_(entries() * gram_blocks),
          predicted_(block_ ? problem.edges() : 0),
          memory_(static_cast<std::size_t>(threads),
                  std::vector<float>(System::floats(size_, row(), weighted()))) {}

    double run() {
        const auto start = std::chrono::steady_clock::now();
        solve_side(problem_.rows, factors_.col, factors_.row);
        solve_side(problem_.cols, factors_.row, factors_.col);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    Factors result() const { return factors_; }
    EdgeId bytes() const {
        const std::size_t edges = problem_.edges() * (weighted() ? 16 : 8);
        return edges + sizeof(float) * (factors_.row.size() + factors_.col.size() + partial_.size() +
                                        predicted_.size() + memory_.size() * memory_[0].size());
    }

private:
    std::size_t row() const { return static_cast<std::size_t>(size_); }
    std::size_t entries() const { return row() * row(); }
    bool weighted() const { return !problem_.rows.weights.empty(); }
    System system() {
        return {size_, row(), weighted(), memory_[static_cast<std::size_t>(omp_get_thread_num())].data()};
    }

    void find_gram(const Vectors& vectors, VertexId count) {
        const VertexId block = gram_block(count), blocks = (count + block - 1) / block;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
        for (VertexId b = 0; b < blocks; ++b) {
            System s = system();
            s.matrix = partial_.data() + b * entries(), s.weighted = s.near;
            begin(Thread(), s, {nullptr, 0}, 0, 0, 0);
            add_edges<Right::none>(Thread(), s, vectors,
                                   {nullptr, nullptr, b * block, std::min(block, count - b * block)});
        }
        std::copy_n(partial_.begin(), entries(), gram_.begin());
        for (VertexId b = 1; b < blocks; ++b) {
            for (std::size_t i = 0; i < entries(); ++i) gram_[i] = add(gram_[i], partial_[b * entries() + i]);
        }
        for (std::size_t i = 0; i < row(); ++i) {
            for (std::size_t j = 0; j < i; ++j) gram_[i * row() + j] = gram_[j * row() + i];
        }
    }
    void solve_side(const Side& side, const Array<float>& from, Array<float>& to) {
        const std::size_t stride = sgd::stride_of(problem_.settings.rank);
        const Vectors vectors{from.data(), stride, rank_};
        find_gram(vectors, static_cast<VertexId>(from.size() / stride));
        const auto share = problem_.pair_weight;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads_)
        for (std::size_t i = 0; i < side.order.size(); ++i) {
            const VertexId v = side.order[i];
            const EdgeId first = side.first[v];
            const System s = system();
            const Edges edges{side.ends.data() + first,
                              side.weights.empty() ? nullptr : side.weights.data() + first, 0, side.degree(v),
                              block_ ? predicted_.data() + first : nullptr};
            const Gram gram{gram_.data(), row()};
            float* const x = to.data() + v * stride;
            if (block_) {
                solve_in_blocks(Thread(), s, vectors, edges, gram, share, side.regularisation[v], block_, x);
            } else {
                solve(Thread(), s, vectors, edges, gram, share, side.regularisation[v]);
                std::copy_n(s.x, rank_, x);
            }
        }
    }

    const Problem& problem_;
    Factors factors_;
    int threads_, rank_, block_, size_;
    std::vector<float> gram_, partial_;
    /// Prediction of each edge, used if vectors are solved for in blocks of components.
    Array<float> predicted_;
    std::vector<std::vector<float>> memory_;  ///< memory of one System per thread
};

}  // namespace

VertexId gram_block(VertexId vectors) {
    const VertexId even = (vectors + gram_blocks - 1) / gram_blocks;
    return std::max<VertexId>((even + chunk - 1) / chunk * chunk, 32 * chunk);
}

Solver on_cpu(const Problem& problem, Factors initial, int threads) {
    return run_of<Solver>(std::make_shared<Cpu>(problem, std::move(initial), threads));
}

}  // namespace lockstep::als
