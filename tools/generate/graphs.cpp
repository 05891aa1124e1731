#include "graphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <parallel/algorithm>
#include <vector>

#include "cli.hpp"
#include "random.hpp"

namespace lockstep::generate {
namespace {

/// Returns a bound for 32-bit random words: word < bound is true with the given probability.
std::uint64_t word_bound(double probability) { return static_cast<std::uint64_t>(probability * 0x1p32); }

std::uint64_t arc_key(VertexId u, VertexId v) { return std::uint64_t{u} << 32 | v; }

/// Emits the arcs `arc(0)`, `arc(1)`, … .
template <class Arc>
void emit_sampled_arcs(const DrawnArcs& drawn, std::uint64_t seed, void (*step)(), const Arc& arc,
                       const EmitPair& emit) {
    const auto from = [](std::uint64_t key) { return static_cast<VertexId>(key >> 32); };
    const auto to = [](std::uint64_t key) { return static_cast<VertexId>(key); };
    const auto is_loop = [&](std::uint64_t key) { return from(key) == to(key); };
    constexpr EdgeId round = EdgeId{1} << 20;
    std::vector<std::uint64_t> keys(drawn.duplicates ? std::min(round, drawn.edges) : drawn.edges);
    for (EdgeId begin = 0; begin < drawn.edges; begin += round) {
        const EdgeId size = std::min(round, drawn.edges - begin);
        std::uint64_t* const part = keys.data() + (drawn.duplicates ? 0 : begin);
#pragma omp parallel for
        for (EdgeId i = 0; i < size; ++i) part[i] = arc(begin + i);
        step();
        for (EdgeId i = 0; drawn.duplicates && i < size; ++i) {
            if (drawn.self_loops || !is_loop(part[i])) emit(from(part[i]), to(part[i]));
        }
    }
    if (drawn.duplicates) return;
    if (!drawn.self_loops) std::erase_if(keys, is_loop);
    if (drawn.undirected) {
        for (std::uint64_t& key : keys)
            key = arc_key(std::min(from(key), to(key)), std::max(from(key), to(key)));
    }
    __gnu_parallel::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    shuffle(keys, Sequence(seed, Stream::order), cli::check_signal);
    for (const std::uint64_t key : keys) emit(from(key), to(key));
}

}  // namespace

void uniform_pairs(VertexId users, VertexId items, EdgeId edges, std::uint64_t seed, const EmitPair& emit) {
    const std::uint64_t cells = std::uint64_t{users} * items;
    if (edges > cells) {
        throw cli::UsageError(fmt::format("--edges {} is too large: {} users x {} items have {} pairs", edges,
                                          users, items, cells));
    }
    const Permutation cell(cells, seed, Stream::cells);
    for (EdgeId e = 0; e < edges; ++e) {
        const std::uint64_t place = cell(e);
        emit(static_cast<VertexId>(place / items), static_cast<VertexId>(place % items));
    }
}

void road(const RoadShape& shape, std::uint64_t seed, const EmitEdge& emit) {
    const std::uint64_t width = shape.width, keep = word_bound(1 - shape.drop),
                        diagonal = word_bound(shape.diagonals);
    const Random tree(seed, Stream::tree), grid(seed, Stream::grid);
    const auto length = [](std::uint32_t word, double unit) { return unit * (75 + 50 * (word * 0x1p-32)); };
    for (std::uint64_t v = 1; v < shape.vertices; ++v) {
        const auto id = static_cast<VertexId>(v);
        const bool has_left = v % width != 0, has_up = v >= width;
        const Words choice = tree(v), lengths = grid(v);
        const bool tree_goes_up = has_up && (!has_left || (choice[0] & 1) != 0);
        const bool other = choice[1] < keep;
        const auto left = static_cast<VertexId>(v - 1), up = static_cast<VertexId>(v - width);
        if (has_up && (tree_goes_up || other)) emit(up, id, length(lengths[0], 1));
        if (has_left && (!tree_goes_up || other)) emit(left, id, length(lengths[1], 1));
        if (has_up && has_left && choice[2] < diagonal) {
            // The cell above and left of v has two diagonals; it gets one of them.
            const double root2 = 1.4142135623730951;
            if (choice[3] & 1)
                emit(up - 1, id, length(lengths[2], root2));
            else
                emit(up, left, length(lengths[2], root2));
        }
    }
}

void rmat(const RmatShape& shape, const DrawnArcs& drawn, std::uint64_t seed, void (*step)(),
          const EmitPair& emit) {
    const Random arcs(seed, Stream::arcs);
    const std::uint64_t vertices = std::uint64_t{1} << shape.scale;
    const Permutation permutation(vertices, seed, Stream::vertices);
    std::vector<VertexId> name(vertices);
#pragma omp parallel for
    for (std::uint64_t v = 0; v < vertices; ++v) name[v] = static_cast<VertexId>(permutation(v));
    const std::uint64_t a = word_bound(shape.a), b = word_bound(shape.a + shape.b),
                        c = word_bound(shape.a + shape.b + shape.c);
    const auto arc = [=, scale = shape.scale, &name](EdgeId e) {
        std::uint64_t row = 0, col = 0;
        Words words{};
        for (unsigned level = 0; level < scale; ++level) {
            if (level % 4 == 0) words = arcs(e, level / 4);
            const std::uint32_t word = words[level % 4];
            row = row << 1 | (word >= b);
            // Branch-free, since no branch predictor could foresee the branches.
            col = col << 1 | ((word >= a) ^ (word >= b) ^ (word >= c));
        }
        return arc_key(name[row], name[col]);
    };
    emit_sampled_arcs(drawn, seed, step, arc, emit);
}

void random_arcs(VertexId vertices, const DrawnArcs& drawn, std::uint64_t seed, void (*step)(),
                 const EmitPair& emit) {
    const Random ends(seed, Stream::ends);
    const auto below = [&](std::uint32_t high, std::uint32_t low) {  // the bias is below vertices / 2^64
        const std::uint64_t word = std::uint64_t{high} << 32 | low;
        return static_cast<VertexId>((static_cast<unsigned __int128>(word) * vertices) >> 64);
    };
    const auto arc = [&](EdgeId e) {
        const Words words = ends(e);
        return arc_key(below(words[0], words[1]), below(words[2], words[3]));
    };
    emit_sampled_arcs(drawn, seed, step, arc, emit);
}

void torus(const std::vector<VertexId>& sides, const EmitPair& emit) {
    std::uint64_t vertices = 1;
    for (const VertexId side : sides) vertices *= side;
    for (std::uint64_t v = 0; v < vertices; ++v) {
        std::uint64_t stride = vertices;
        for (const VertexId side : sides) {
            stride /= side;
            const std::uint64_t place = v / stride % side;
            if (side == 1 || (side == 2 && place == 1)) continue;
            const std::uint64_t next = place + 1 < side ? v + stride : v - place * stride;
            emit(static_cast<VertexId>(v), static_cast<VertexId>(next));
        }
    }
}

EdgeId plain_edges(FixedDegreeGraph kind, VertexId vertices, VertexId degree) {
    const EdgeId n = vertices;
    switch (kind) {
        case FixedDegreeGraph::ring:
            return n;
        case FixedDegreeGraph::regular:
            return n * degree;
        case FixedDegreeGraph::grid:
            return 2 * n;
        case FixedDegreeGraph::complete:
            return n * (n - 1) / 2;
        default:
            return n - 1;
    }
}

void plain(FixedDegreeGraph kind, VertexId vertices, VertexId width, VertexId degree, const EmitPair& emit) {
    const EdgeId n = vertices;
    for (VertexId v = 0; v < vertices; ++v) {
        switch (kind) {
            case FixedDegreeGraph::star:
                if (v > 0) emit(0, v);
                break;
            case FixedDegreeGraph::chain:
                if (v + EdgeId{1} < n) emit(v, v + 1);
                break;
            case FixedDegreeGraph::ring:
                emit(v, static_cast<VertexId>((v + EdgeId{1}) % n));
                break;
            case FixedDegreeGraph::regular:
                for (VertexId i = 1; i <= degree; ++i) emit(v, static_cast<VertexId>((v + EdgeId{i}) % n));
                break;
            case FixedDegreeGraph::grid:
                if (v % width + 1 < width && v + EdgeId{1} < n) emit(v, v + 1);
                if (v + EdgeId{width} < n) emit(v, v + width);
                break;
            case FixedDegreeGraph::tree:
                if (v > 0) emit((v - 1) / 2, v);
                break;
            case FixedDegreeGraph::complete:
                for (VertexId u = v + 1; u < vertices; ++u) emit(v, u);
                break;
        }
    }
}

}  // namespace lockstep::generate
