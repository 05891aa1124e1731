#include "graphs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli.hpp"
#include "random.hpp"

namespace lockstep::generate {
namespace {

/// A probability as a bound for 32-bit words: true for word < bound.
std::uint64_t word_bound(double probability) { return static_cast<std::uint64_t>(probability * 0x1p32); }

}  // namespace

void uniform_pairs(VertexId users, VertexId items, EdgeId edges, std::uint64_t seed, const EmitPair& emit) {
    const std::uint64_t cells = std::uint64_t{users} * items;
    if (edges > cells) {
        throw cli::UsageError(fmt::format("--edges {} is too many: {} users x {} items have {} pairs", edges,
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

void rmat(const RmatShape& shape, std::uint64_t seed, const std::function<void(EdgeId)>& step,
          const EmitPair& emit) {
    const Random arcs(seed, Stream::arcs);
    const Permutation name(std::uint64_t{1} << shape.scale, seed, Stream::vertices);
    const std::uint64_t a = word_bound(shape.a), b = word_bound(shape.a + shape.b),
                        c = word_bound(shape.a + shape.b + shape.c);
    const auto arc = [&](EdgeId e) {
        std::uint64_t row = 0, col = 0;
        Words words{};
        for (unsigned level = 0; level < shape.scale; ++level) {
            if (level % 4 == 0) words = arcs(e, level / 4);
            const std::uint32_t word = words[level % 4];
            row = row << 1 | (word >= b);
            col = col << 1 | ((word >= a && word < b) || word >= c);
        }
        return name(row) << 32 | name(col);
    };
    const auto emit_key = [&](std::uint64_t key) {
        emit(static_cast<VertexId>(key >> 32), static_cast<VertexId>(key));
    };
    if (shape.duplicates) {
        for (EdgeId e = 0; e < shape.edges; ++e) emit_key(arc(e));
        return;
    }
    std::vector<std::uint64_t> keys;
    keys.reserve(shape.edges);
    for (EdgeId e = 0; e < shape.edges; ++e) {
        keys.push_back(arc(e));
        if ((e & 0xFFFF) == 0) step(e);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    shuffle(keys, Sequence(seed, Stream::order), cli::check_signal);
    for (const std::uint64_t key : keys) emit_key(key);
}

EdgeId plain_edges(Plain kind, VertexId vertices, VertexId degree) {
    const EdgeId n = vertices;
    switch (kind) {
        case Plain::ring:
            return n;
        case Plain::regular:
            return n * degree;
        case Plain::grid:
            return 2 * n;
        case Plain::complete:
            return n * (n - 1) / 2;
        default:
            return n - 1;
    }
}

void plain(Plain kind, VertexId vertices, VertexId width, VertexId degree, const EmitPair& emit) {
    const EdgeId n = vertices;
    for (VertexId v = 0; v < vertices; ++v) {
        switch (kind) {
            case Plain::star:
                if (v > 0) emit(0, v);
                break;
            case Plain::chain:
                if (v + EdgeId{1} < n) emit(v, v + 1);
                break;
            case Plain::ring:
                emit(v, static_cast<VertexId>((v + EdgeId{1}) % n));
                break;
            case Plain::regular:
                for (VertexId i = 1; i <= degree; ++i) emit(v, static_cast<VertexId>((v + EdgeId{i}) % n));
                break;
            case Plain::grid:
                if (v % width + 1 < width && v + EdgeId{1} < n) emit(v, v + 1);
                if (v + EdgeId{width} < n) emit(v, v + width);
                break;
            case Plain::tree:
                if (v > 0) emit((v - 1) / 2, v);
                break;
            case Plain::complete:
                for (VertexId u = v + 1; u < vertices; ++u) emit(v, u);
                break;
        }
    }
}

}  // namespace lockstep::generate
