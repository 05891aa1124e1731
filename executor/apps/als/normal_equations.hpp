// The normal equations of implicit ALS for one vector, and their solution. On a CPU one thread solves a
// system, on a GPU one thread block. All sums are computed in the same order on both, so the results are
// bitwise identical.
//
// The vector x of a row minimises (Hu, Koren and Volinsky, ICDM 2008)
//
//     sum over its edges of w (1 - h.x)^2  +  a sum over all columns of (h.x)^2  +  r |x|^2,
//
// where h is the vector of a column, w the weight of an edge, a the weight of every pair, and r the
// regularisation of the row. So (a G + sum w h h^T + r I) x = sum w h, where G = sum h h^T over all columns
// is the same for all rows. Edges are added in chunks of `chunk` edges: first the edges of a chunk one after
// another, then the sum of the chunk to the sum of the previous chunks. G is computed in the same way from
// edges of weight 1 to all columns. In the factorization U^T U and in both substitutions, the pivots update
// every entry in ascending order.
//
// If the rank is large, a vector is solved for in blocks of components, one block after another, while the
// components outside the block stay fixed (iALS++: Rendle, Krichene, Zhang and Koren, 2021). Each block takes
// a Newton step, for which the prediction of each edge is stored: O(edges rank block + rank block^2).
//
// A Team is the group of threads that solves one system. `Number` is the type with which its threads compute:
// one float, or a SIMD register of floats. `tiles` visits tiles of 4 x 4 entries (wider with SIMD registers)
// in the upper triangle from a given row on, `each` visits the numbers of a range, and `sync` is a barrier.
#pragma once

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::als {

/// Returns 1 / sqrt(x). Both operations are correctly rounded, so CPU and GPU return the same bits.
LOCKSTEP_HD float inverse_root(float x) {
#if defined(__CUDA_ARCH__)
    return __fdiv_rn(1.0F, __fsqrt_rn(x));
#else
    return 1.0F / std::sqrt(x);
#endif
}

inline constexpr int chunk = 32;  ///< number of edges whose vectors are loaded and added together
inline constexpr int tile = 4;    ///< number of matrix rows in a tile
/// Number of pivots that are processed before the rest of the matrix is updated.
inline constexpr int panel = 16;

/// The vectors of one side in memory; consecutive vectors are `stride` floats apart. `Edges` are the edges of
/// one vertex to vertices of that side.
struct Vectors {
    const float* at;
    std::size_t stride;
    int rank;
};
struct Edges {
    const VertexId* ends;  ///< indices of the edges' vectors; null: `first`, `first` + 1, …
    const float* weights;  ///< weights of the edges; null: all are 1
    VertexId first;
    EdgeId count;
    /// The predicted value of each edge: the dot product of the fixed vector h and the current solution x. It
    /// is used if the solver computes only some components of x at a time.
    float* predicted = nullptr;
    LOCKSTEP_HD VertexId end(EdgeId e) const { return ends ? ends[e] : first + static_cast<VertexId>(e); }
    /// Returns w (1 - h.x), the weighted error of the prediction of edge e.
    LOCKSTEP_HD float missed(EdgeId e) const {
        const float off = add(1.0F, -predicted[e]);
        return weights ? multiply(weights[e], off) : off;
    }
};

/// The memory of one system of linear equations. Its `size` is the rank, rounded up to a multiple of
/// Team::unknowns; the additional unknowns are zero.
struct System {
    int size;
    std::size_t stride;  ///< distance between rows of the matrix
    float* matrix;       ///< matrix with `size` rows, of which only the upper triangle is used
    /// Right-hand side, inverses of the diagonal of U, and solution, each of `size` numbers.
    float *right, *inverse, *x;
    /// The vectors of the edges in a chunk, and these vectors times the weights of the edges: chunk x size
    /// numbers each. If all weights are 1, both are the same memory.
    float *near, *weighted;
    LOCKSTEP_HD static constexpr std::size_t floats(int size, std::size_t stride, bool weighted) {
        return static_cast<std::size_t>(size) * (stride + 3 + chunk * (weighted ? 2 : 1));
    }
    LOCKSTEP_HD System(int n, std::size_t row, bool has_weights, float* memory)
        : size(n),
          stride(row),
          matrix(memory),
          right(matrix + static_cast<std::size_t>(n) * row),
          inverse(right + n),
          x(inverse + n),
          near(x + n),
          weighted(has_weights ? near + chunk * n : near) {}
    /// Returns a system with n ≤ `size` unknowns that uses the same memory.
    LOCKSTEP_HD System of(int n) const {
        return {n, static_cast<std::size_t>(n) + (stride - static_cast<std::size_t>(size)), weighted != near,
                matrix};
    }
};

/// A tile of the matrix, which one thread keeps in registers.
template <class Team>
struct Tile {
    using Number = typename Team::Number;
    Number x[tile][Team::across];

    template <class Value>
    LOCKSTEP_HD static Tile each(Value value) {
        Tile t;
        LOCKSTEP_UNROLL
        for (int i = 0; i < tile; ++i) {
            LOCKSTEP_UNROLL
            for (int j = 0; j < Team::across; ++j) t.x[i][j] = value(i, j * Team::width);
        }
        return t;
    }
    LOCKSTEP_HD static Tile zero() {
        return each([](int, int) { return Team::all(0); });
    }
    LOCKSTEP_HD static Tile load(const float* from, std::size_t stride) {
        return each(
            [&](int i, int j) { return Team::load(from + static_cast<std::size_t>(i) * stride + j); });
    }
    LOCKSTEP_HD void store(float* to, std::size_t stride) const {
        LOCKSTEP_UNROLL
        for (int i = 0; i < tile; ++i) {
            LOCKSTEP_UNROLL
            for (int j = 0; j < Team::across; ++j)
                Team::store(to + static_cast<std::size_t>(i) * stride + j * Team::width, x[i][j]);
        }
    }
    /// Adds left[i] right[j] to each entry (i, j) of the tile; subtracts it if `off`.
    template <bool off>
    LOCKSTEP_HD void add_product(const float* left, const float* right) {
        Number columns[Team::across];
        LOCKSTEP_UNROLL
        for (int j = 0; j < Team::across; ++j) columns[j] = Team::load(right + j * Team::width);
        LOCKSTEP_UNROLL
        for (int i = 0; i < tile; ++i) {
            const Number row = Team::all(off ? -left[i] : left[i]);
            LOCKSTEP_UNROLL
            for (int j = 0; j < Team::across; ++j) x[i][j] = fused_multiply_add(row, columns[j], x[i][j]);
        }
    }
};

/// The contribution of an edge to the right-hand side: nothing, w h (to solve for all components), or w (1 -
/// h.x) h (to solve for a block of components).
enum class Right { none, weights, missed };

/// Adds the contributions of the edges to a system: w h h^T to its matrix, and the term that `right` selects
/// to its right-hand side.
template <Right right, class Team>
LOCKSTEP_HD void add_edges(const Team& team, const System& s, const Vectors& vectors, const Edges& edges) {
    for (EdgeId first = 0; first < edges.count; first += chunk) {
        const int count = static_cast<int>(edges.count - first < chunk ? edges.count - first : chunk);
        team.gather(s, vectors, edges, first, count);
        team.sync();
        team.tiles(s.size, 0, [&](int i, int j) {
            auto sum = Tile<Team>::zero();
            for (int e = 0; e < count; ++e)
                sum.template add_product<false>(s.weighted + e * s.size + i, s.near + e * s.size + j);
            float* const at = s.matrix + static_cast<std::size_t>(i) * s.stride + j;
            const auto before = Tile<Team>::load(at, s.stride);
            Tile<Team>::each([&](int a, int b) {
                return add(before.x[a][b / Team::width], sum.x[a][b / Team::width]);
            }).store(at, s.stride);
        });
        if constexpr (right != Right::none) {
            team.each(0, s.size, [&](int j) {
                auto sum = Team::all(0);
                for (int e = 0; e < count; ++e) {
                    if constexpr (right == Right::weights)
                        sum = add(sum, Team::load(s.weighted + e * s.size + j));
                    else
                        sum = fused_multiply_add(Team::all(edges.missed(first + static_cast<EdgeId>(e))),
                                                 Team::load(s.near + e * s.size + j), sum);
                }
                Team::store(s.right + j, add(Team::load(s.right + j), sum));
            });
        }
        team.sync();
    }
}

/// Factorizes the matrix as U^T U (Cholesky) in place. The inverses of U's diagonal are stored in `inverse`
/// instead of the diagonal. Also solves U^T y = right, and stores y in `right`.
template <class Team>
LOCKSTEP_HD void factorize(const Team& team, const System& s) {
    for (int first = 0; first < s.size; first += panel) {
        const int last = first + panel < s.size ? first + panel : s.size;
        for (int p = first; p < last; ++p) {
            float* const pivot = s.matrix + static_cast<std::size_t>(p) * s.stride;
            const float inverse = inverse_root(pivot[p]);
            team.each(p + 1, s.size, [&](int j) {
                Team::store(pivot + j, multiply(Team::load(pivot + j), Team::all(inverse)));
            });
            team.once([&] { s.inverse[p] = inverse, s.right[p] = multiply(s.right[p], inverse); });
            team.sync();
            team.rows(p + 1, last, s.size, [&](int i, int j) {
                float* const at = s.matrix + static_cast<std::size_t>(i) * s.stride + j;
                Team::store(at,
                            fused_multiply_add(Team::all(-pivot[i]), Team::load(pivot + j), Team::load(at)));
            });
            const float y = s.right[p];
            team.after(p, s.size, [&](int j) { s.right[j] = fused_multiply_add(-pivot[j], y, s.right[j]); });
            team.sync();
        }
        team.tiles(s.size, last, [&](int i, int j) {
            float* const at = s.matrix + static_cast<std::size_t>(i) * s.stride + j;
            auto left = Tile<Team>::load(at, s.stride);
            for (int p = first; p < last; ++p) {
                const float* const pivot = s.matrix + static_cast<std::size_t>(p) * s.stride;
                left.template add_product<true>(pivot + i, pivot + j);
            }
            left.store(at, s.stride);
        });
        team.sync();
    }
}

/// Solves U x = y, with y in `right`.
template <class Team>
LOCKSTEP_HD void substitute_back(const Team& team, const System& s) {
    for (int p = s.size - 1; p >= 0; --p) {
        const float x = multiply(s.right[p], s.inverse[p]);
        team.once([&] { s.x[p] = x; });
        team.before(p, [&](int i) {
            s.right[i] =
                fused_multiply_add(-s.matrix[static_cast<std::size_t>(i) * s.stride + p], x, s.right[i]);
        });
        team.sync();
    }
}

/// The matrix G, stored completely (both triangles). Consecutive rows are `row` floats apart.
struct Gram {
    const float* at;  ///< first entry of the matrix; null: all entries are zero
    std::size_t row;
    LOCKSTEP_HD const float* entry(int i, int j) const { return at + static_cast<std::size_t>(i) * row + j; }
};

/// Initializes a system for the components of the vector from `first` on: the matrix is `share` times the
/// corresponding part of G plus `diagonal` on the diagonal, and the right-hand side is zero.
template <class Team>
LOCKSTEP_HD void begin(const Team& team, const System& s, const Gram& gram, int first, float share,
                       float diagonal) {
    team.rows(0, s.size, s.size, [&](int i, int j) {
        Team::store(s.matrix + static_cast<std::size_t>(i) * s.stride + j,
                    gram.at ? multiply(Team::all(share), Team::load(gram.entry(first + i, first + j)))
                            : Team::all(0));
    });
    team.each(0, s.size, [&](int j) { Team::store(s.right + j, Team::all(0)); });
    team.sync();
    team.after(-1, s.size, [&](int i) {
        float* const at = s.matrix + static_cast<std::size_t>(i) * (s.stride + 1);
        *at = add(*at, diagonal);
    });
    team.sync();
}

/// Solves the normal equations of one vertex, and stores its vector in s.x. O(edges rank^2 + rank^3).
template <class Team>
LOCKSTEP_HD void solve(const Team& team, const System& s, const Vectors& vectors, const Edges& edges,
                       const Gram& gram, float share, float diagonal) {
    begin(team, s, gram, 0, share, diagonal);
    add_edges<Right::weights>(team, s, vectors, edges);
    factorize(team, s);
    substitute_back(team, s);
}

/// Adds the dot product of s.x and the edge's vector to the prediction of each edge. If `from_zero`, replaces
/// the prediction by the product.
template <class Team>
LOCKSTEP_HD void predict(const Team& team, const System& s, const Vectors& vectors, const Edges& edges,
                         bool from_zero) {
    for (EdgeId first = 0; first < edges.count; first += chunk) {
        const int count = static_cast<int>(edges.count - first < chunk ? edges.count - first : chunk);
        team.gather(s, vectors, edges, first, count);
        team.sync();
        team.products(s, count, [&](int e, float product) {
            float& of = edges.predicted[first + static_cast<EdgeId>(e)];
            of = from_zero ? product : add(of, product);
        });
        team.sync();
    }
}

/// Updates the vector `x` of one vertex in place, by solving for `block` components at a time, a multiple of
/// 16. `workspace` is the memory for the largest of these systems. O(edges rank block + rank block^2 +
/// rank^2).
template <class Team>
LOCKSTEP_HD void solve_in_blocks(const Team& team, const System& workspace, const Vectors& vectors,
                                 const Edges& edges, const Gram& gram, float share, float diagonal, int block,
                                 float* x) {
    const auto each_block = [&](auto use) {
        for (int first = 0; first < vectors.rank; first += block) {
            const int count = vectors.rank - first < block ? vectors.rank - first : block;
            use(workspace.of((count + Team::unknowns - 1) / Team::unknowns * Team::unknowns),
                Vectors{vectors.at + first, vectors.stride, count}, first);
        }
    };
    each_block([&](const System& s, const Vectors& some, int first) {
        team.after(-1, s.size, [&](int j) { s.x[j] = j < some.rank ? x[first + j] : 0.0F; });
        team.sync();
        predict(team, s, some, edges, first == 0);
    });
    each_block([&](const System& s, const Vectors& some, int first) {
        begin(team, s, gram, first, share, diagonal);
        // gradient of the terms for all pairs; the gradient of the regularisation is added below
        team.each(0, s.size, [&](int i) {
            auto sum = Team::all(0);
            for (int j = 0; j < vectors.rank; ++j)
                sum = fused_multiply_add(Team::all(x[j]), Team::load(gram.entry(j, first + i)), sum);
            Team::store(s.right + i, multiply(Team::all(-share), sum));
        });
        team.sync();
        team.after(-1, some.rank,
                   [&](int i) { s.right[i] = fused_multiply_add(-diagonal, x[first + i], s.right[i]); });
        team.sync();
        add_edges<Right::missed>(team, s, some, edges);
        factorize(team, s);
        substitute_back(team, s);
        team.after(-1, some.rank, [&](int j) { x[first + j] = add(x[first + j], s.x[j]); });
        team.sync();
        if (first + block < vectors.rank) predict(team, s, some, edges, false);
    });
}

}  // namespace lockstep::als
