#include "star_forests.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace lockstep {

namespace {

/// `what`, the largest `size` first, then by `what`; sorted as one number.
std::uint64_t larger_first(VertexId size, VertexId what) { return std::uint64_t{~size} << 32 | what; }

}  // namespace

StarForests::StarForests(VertexId users, VertexId items)
    : users_(users), vertices_(std::size_t{users} + items, Vertex{}) {}

void StarForests::decompose(std::span<const TileEdge> edges, EdgeId* out, Forests& forests) {
    sort_by_item(edges);
    step_.resize(edges.size()), centre_.resize(edges.size());
    step_ends_.clear();
    deferred_.clear();
    for (VertexId e = 0; e < edges_.size(); ++e) place(e, 0);
    for (VertexId first_step = 64; !deferred_.empty(); first_step += 64) {
        todo_.swap(deferred_);
        deferred_.clear();
        for (const TileEdge& e : edges_) {
            for (const VertexId v : {e.user, item(e)}) vertices_[v].leaf = vertices_[v].centre = 0;
        }
        for (const VertexId e : todo_) place(e, first_step);
    }
    for (const TileEdge& e : edges_) vertices_[e.user] = {};
    for (const VertexId v : items_) vertices_[v] = {};
    arrange(out, forests);
}

void StarForests::sort_by_item(std::span<const TileEdge> edges) {
    items_.clear();
    for (const TileEdge& e : edges) {
        ++vertices_[e.user].degree;
        if (vertices_[item(e)].degree++ == 0) items_.push_back(item(e));
    }
    stars_.clear();
    for (const VertexId v : items_)
        stars_.push_back(larger_first(leads(v) ? ~VertexId{0} : vertices_[v].degree, v));
    std::sort(stars_.begin(), stars_.end());
    VertexId begin = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        items_[i] = static_cast<VertexId>(stars_[i]);
        vertices_[items_[i]].place = begin;
        begin += vertices_[items_[i]].degree;
    }
    edges_.resize(edges.size());
    for (const TileEdge& e : edges) edges_[vertices_[item(e)].place++] = e;
}

/// Puts an edge into the first of 64 steps where it extends a star or starts one. A vertex is a leaf of one
/// star at most, and never both leaf and centre, so the stars of a step share nothing.
void StarForests::place(VertexId edge, VertexId first_step) {
    Vertex& u = vertices_[edges_[edge].user];
    Vertex& v = vertices_[item(edges_[edge])];
    const std::uint64_t possible = ~(u.leaf | v.leaf | (u.centre & v.centre));
    if (!possible) {
        deferred_.push_back(edge);
        return;
    }
    const std::uint64_t bit = possible & (~possible + 1);
    const bool user_star =
        u.centre & bit || (!(v.centre & bit) && u.degree > v.degree && !leads(item(edges_[edge])));
    (user_star ? u : v).centre |= bit;
    (user_star ? v : u).leaf |= bit;
    const VertexId step = first_step + static_cast<VertexId>(std::countr_zero(bit));
    step_[edge] = step;
    centre_[edge] = user_star ? edges_[edge].user : item(edges_[edge]);
    if (step >= step_ends_.size()) step_ends_.resize(step + 1, 0);
    ++step_ends_[step];
}

void StarForests::arrange(EdgeId* out, Forests& forests) {
    VertexId position = 0;
    for (VertexId& end : step_ends_) position += std::exchange(end, position);
    by_step_.resize(edges_.size());
    for (VertexId e = 0; e < edges_.size(); ++e) by_step_[step_ends_[step_[e]]++] = {e, centre_[e]};

    auto first = by_step_.cbegin();
    for (const VertexId step_end : step_ends_) {
        const auto end = by_step_.cbegin() + step_end;
        items_.clear();  // the centres, as they come
        for (auto p = first; p != end; ++p) {
            if (vertices_[p->centre].degree++ == 0) items_.push_back(p->centre);
        }
        stars_.clear();
        for (VertexId i = 0; i < items_.size(); ++i)
            stars_.push_back(larger_first(vertices_[items_[i]].degree, i));
        std::sort(stars_.begin(), stars_.end());
        VertexId begin = 0;
        for (const std::uint64_t star : stars_) {
            Vertex& centre = vertices_[items_[static_cast<VertexId>(star)]];
            forests.star_edges.push_back(centre.degree);
            centre.place = begin;
            begin += centre.degree;
        }
        for (auto p = first; p != end; ++p) out[vertices_[p->centre].place++] = edges_[p->edge].id;
        for (const VertexId centre : items_) vertices_[centre] = {};
        forests.step_stars.push_back(static_cast<VertexId>(items_.size()));
        out += end - first;
        first = end;
    }
}

}  // namespace lockstep
