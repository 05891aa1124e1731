// The normal equations of one vector, and their solution: on a CPU by one thread, on a GPU by a thread block, in one order of
// sums and with the same bits.
//
// The vector x of a row minimises (Hu, Koren and Volinsky, ICDM 2008)
//
//     sum over its edges of w (1 - h.x)^2  +  a sum over all columns of (h.x)^2  +  r |x|^2,
//
// so that (a G + sum w h h^T + r I) x = sum w h, where G = sum h h^T over all columns is the same for all rows. The order:
// edges in chunks of `chunk`, one after another in each, and the sum of a chunk added to what was before; the columns of G are such
// edges of weight 1; of the factorization U^T U and both substitutions every entry takes one pivot after another.
//
// A Team is who works on it: its `Number` is one float, or a pack of them; `tiles` goes over blocks of 4 x 4 entries, or what packs make of
// that, of the upper triangle from a row on, `each` over numbers from one to another, and `sync` waits for all.
#pragma once

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::als {

/// 1 / sqrt(x), of two operations that are rounded alike everywhere.
LOCKSTEP_HD float inverse_root(float x) {
#if defined(__CUDA_ARCH__)
    return __fdiv_rn(1.0F, __fsqrt_rn(x));
#else
    return 1.0F / std::sqrt(x);
#endif
}

inline constexpr int chunk = 32;  ///< edges
inline constexpr int tile = 4;    ///< rows of a tile
inline constexpr int panel = 16;  ///< pivots between two updates of all that is left

/// One side's vectors, `stride` apart, and the edges of a vertex to them.
struct Vectors {
    const float* at;
    std::size_t stride;
    int rank;
};
struct Edges {
    const VertexId* ends;  ///< null: vectors `first`, `first` + 1, …
    const float* weights;  ///< null: all 1
    VertexId first;
    EdgeId count;
    LOCKSTEP_HD VertexId end(EdgeId e) const { return ends ? ends[e] : first + static_cast<VertexId>(e); }
};

/// Memory of one system of `size` unknowns: the rank, rounded up to what a Team's tiles make; zeros behind it.
struct System {
    int size;
    std::size_t stride;          ///< of the matrix
    float* matrix;               ///< size x stride; the upper triangle counts
    float *right, *inverse, *x;  ///< size each
    float *near,
        *weighted;  ///< chunk x size each: the vectors of a chunk, and times their weights; one where all are 1
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
};

/// A block of the matrix, which a thread keeps in registers.
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
    /// Adds left[i] right[j], or takes it off.
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

/// Adds the edges to the matrix and, where there is one, the right side.
template <bool has_right, class Team>
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
        if constexpr (has_right) {
            team.each(0, s.size, [&](int j) {
                auto sum = Team::all(0);
                for (int e = 0; e < count; ++e) sum = add(sum, Team::load(s.weighted + e * s.size + j));
                Team::store(s.right + j, add(Team::load(s.right + j), sum));
            });
        }
        team.sync();
    }
}

/// U^T U of the matrix in its place, but for the diagonal, of which `inverse` has the inverses; and U^T y = right, in its place.
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

/// x of U x = y.
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

/// The matrix begins with `share` of `gram`, size x size (null: zeros), and `diagonal` more on its diagonal.
template <class Team>
LOCKSTEP_HD void begin(const Team& team, const System& s, const float* gram, float share, float diagonal) {
    team.rows(0, s.size, s.size, [&](int i, int j) {
        const auto g =
            gram ? multiply(
                       Team::all(share),
                       Team::load(gram + static_cast<std::size_t>(i) * static_cast<std::size_t>(s.size) + j))
                 : Team::all(0);
        Team::store(s.matrix + static_cast<std::size_t>(i) * s.stride + j, g);
    });
    team.each(0, s.size, [&](int j) { Team::store(s.right + j, Team::all(0)); });
    team.sync();
    team.after(-1, s.size, [&](int i) {
        float* const at = s.matrix + static_cast<std::size_t>(i) * (s.stride + 1);
        *at = add(*at, diagonal);
    });
    team.sync();
}

/// Solves for the vector of a vertex, which is left in s.x. O(edges rank^2 + rank^3).
template <class Team>
LOCKSTEP_HD void solve(const Team& team, const System& s, const Vectors& vectors, const Edges& edges,
                       const float* gram, float share, float diagonal) {
    begin(team, s, gram, share, diagonal);
    add_edges<true>(team, s, vectors, edges);
    factorize(team, s);
    substitute_back(team, s);
}

}  // namespace lockstep::als
