#include "star_forests.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace lockstep {

namespace {

/// Returns a sort key: numbers sort by decreasing `size`, then by ascending `what`.
std::uint64_t larger_first(VertexId size, VertexId what) { return std::uint64_t{~size} << 32 | what; }

}  // namespace

StarForests::StarForests(VertexId users, VertexId items)
    : users_(users), vertices_(std::size_t{users} + items, Vertex{}), lengths_(vertices_.size()) {}

void StarForests::decompose(std::span<const TileEdge> edges, EdgeId* out, Forests& forests) {
    sort_by_item(edges);
    step_.resize(edges.size()), centre_.resize(edges.size());
    step_ends_.clear(), longest_.clear();
    sort_by_freedom();
    for (VertexId first_step = 0;; first_step += steps_at_once) {
        deferred_.clear();
        for (const VertexId e : todo_) place(e, first_step);
        if (deferred_.empty()) break;
        todo_.swap(deferred_);
        forget([](Vertex& v) { v.leaf = v.centre = 0; });
    }
    empty_thin_steps();
    forget([](Vertex& v) { v = {}; });
    arrange(out, forests);
}

/// Clears the star lengths of the tile's vertices, and calls reset(vertex) for each of them.
template <class Reset>
void StarForests::forget(Reset reset) {
    const auto steps = static_cast<std::ptrdiff_t>(std::min<std::size_t>(step_ends_.size(), steps_at_once));
    const auto one = [&](VertexId v) {
        reset(vertices_[v]);
        std::fill_n(lengths_[v].begin(), steps, 0);
    };
    for (const TileEdge& e : edges_) one(e.user);
    for (const VertexId v : items_) one(v);
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

/// Fills todo_ with the edges in the order in which they are placed. The edges of a leading item come first.
/// The other edges are sorted by decreasing number of edges of their user in the tile, because an edge of
/// such a user fits into few steps.
void StarForests::sort_by_freedom() {
    constexpr VertexId most = 31;
    const auto rank = [&](const TileEdge& e) {
        return leads(item(e)) ? 0 : 1 + most - std::min(vertices_[e.user].degree, most);
    };
    std::array<VertexId, most + 2> next{};
    for (const TileEdge& e : edges_) ++next[rank(e) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    todo_.resize(edges_.size());
    for (VertexId e = 0; e < edges_.size(); ++e) todo_[next[rank(edges_[e])]++] = e;
}

/// Places an edge into one of the steps first_step … first_step + steps_at_once - 1, in which it extends a
/// star or starts one. Chooses the step whose longest star grows least; among equal steps, the one in which
/// the edge's star is farthest below the longest star. In a step, a vertex is a leaf of at most one star and
/// never both leaf and centre, so the stars of a step share no vertex. Defers the edge if it fits into none
/// of these steps.
void StarForests::place(VertexId edge, VertexId first_step) {
    const VertexId user = edges_[edge].user, its_item = item(edges_[edge]);
    Vertex &u = vertices_[user], &v = vertices_[its_item];
    const bool leading = leads(its_item);
    std::uint64_t possible = ~(u.leaf | v.leaf | (u.centre & v.centre));
    // A user with many edges would occupy many steps, so its last edges form one star around the user.
    std::uint64_t own_star = 0;
    if (!leading && u.degree > max_steps && std::popcount(u.leaf | u.centre) >= max_steps - 1) {
        own_star = possible & ~v.centre & ((1U << max_steps) - 1);
        if (own_star & u.centre) own_star &= u.centre;
        if (own_star) possible = own_star;
    }
    if (!possible) {
        deferred_.push_back(edge);
        return;
    }
    const auto of_user = [&](std::uint64_t bit) {
        return (own_star | u.centre) & bit || (!(v.centre & bit) && u.degree > v.degree && !leading);
    };
    int chosen = 0;
    // (increase of the step's longest star, length of the edge's star minus that of the longest star)
    std::pair<std::int64_t, std::int64_t> least{std::numeric_limits<std::int64_t>::max(), 0};
    for (; possible; possible &= possible - 1) {
        const int s = std::countr_zero(possible);
        const bool fresh = first_step + static_cast<VertexId>(s) >= step_ends_.size();
        const std::int64_t length = lengths_[of_user(possible & (~possible + 1)) ? user : its_item][s] + 1,
                           longest = fresh ? 0 : longest_[first_step + static_cast<VertexId>(s)];
        const auto cost = std::pair(std::max(length - longest, std::int64_t{0}) + (fresh ? step_cost : 0),
                                    length - longest);
        if (cost < least) least = cost, chosen = s;
        if (fresh || leading) break;
    }
    const std::uint64_t bit = std::uint64_t{1} << chosen;
    const bool user_star = of_user(bit);
    (user_star ? u : v).centre |= bit;
    (user_star ? v : u).leaf |= bit;
    const VertexId step = first_step + static_cast<VertexId>(chosen);
    step_[edge] = step;
    centre_[edge] = user_star ? user : its_item;
    if (step >= step_ends_.size()) step_ends_.resize(step + 1, 0), longest_.resize(step + 1, 0);
    ++step_ends_[step];
    const VertexId length = ++lengths_[centre_[edge]][chosen];
    if (!leading) longest_[step] = std::max(longest_[step], length);
}

/// Removes the last step while it has so few edges that they fit into the other steps. An additional step
/// takes longer than a few edges in other steps.
void StarForests::empty_thin_steps() {
    // Vertex::leaf and centre describe only the last 64 steps, so edges cannot be moved if there are more.
    if (step_ends_.size() > steps_at_once) return;
    for (bool sorted = false; step_ends_.size() > 1 && step_ends_.back() <= thin_step; sorted = true) {
        if (!sorted) sort_by_user();
        const auto last = static_cast<VertexId>(step_ends_.size() - 1);
        for (VertexId e = 0; step_ends_.back(); ++e) {
            if (step_[e] != last) continue;
            if (leads(item(edges_[e]))) return;
            const bool user_star = centre_[e] == edges_[e].user;
            remove_from_step(e);
            if (!settle(e, static_cast<int>(last), max_moves)) {
                add_to_step(e, static_cast<int>(last), user_star);
                return;
            }
        }
        step_ends_.pop_back(), longest_.pop_back();
    }
}

/// Places an edge that is in no step into one of the first `steps` steps. Prefers a step in which it fits.
/// Otherwise, if a single other edge prevents that in some step, tries to place this other edge elsewhere,
/// recursively with at most `moves` moves. Returns whether the edge was placed; if not, all edges are where
/// they were before.
bool StarForests::settle(VertexId edge, int steps, int moves) {
    const VertexId user = edges_[edge].user, its_item = item(edges_[edge]);
    const Vertex &u = vertices_[user], &v = vertices_[its_item];
    const auto fits = [&](std::uint64_t bit) { return !((u.leaf | v.leaf | (u.centre & v.centre)) & bit); };
    const auto of_user = [&](std::uint64_t bit) {
        return u.centre & bit || (!(v.centre & bit) && u.degree > v.degree);
    };
    const auto growth = [&](int s) {
        const VertexId centre = of_user(std::uint64_t{1} << s) ? user : its_item;
        return std::int64_t{lengths_[centre][static_cast<std::size_t>(s)]} + 1 -
               std::int64_t{longest_[static_cast<std::size_t>(s)]};
    };
    int best = -1;
    for (int s = 0; s < steps; ++s) {
        if (fits(std::uint64_t{1} << s) && (best < 0 || growth(s) < growth(best))) best = s;
    }
    if (best >= 0 && growth(best) <= most_growth) {
        add_to_step(edge, best, of_user(std::uint64_t{1} << best));
        return true;
    }
    for (int s = 0; s < steps && moves > 0; ++s) {
        const std::uint64_t bit = std::uint64_t{1} << s;
        const bool user_in_way = u.leaf & bit, item_in_way = v.leaf & bit;
        // Placing the edge in this step must require the move of exactly one other edge.
        if (user_in_way == item_in_way) continue;
        const VertexId other = edge_of_leaf(user_in_way ? user : its_item, static_cast<VertexId>(s));
        if (leads(item(edges_[other]))) continue;
        const bool other_of_user = centre_[other] == edges_[other].user;
        const VertexId longest = longest_[static_cast<std::size_t>(s)];
        remove_from_step(other);
        if (fits(bit) && growth(s) <= most_growth) {
            add_to_step(edge, s, of_user(bit));
            if (settle(other, steps, moves - 1)) return true;
            remove_from_step(edge);
        }
        add_to_step(other, s, other_of_user);
        longest_[static_cast<std::size_t>(s)] = longest;
    }
    return false;
}

void StarForests::add_to_step(VertexId edge, int step, bool user_star) {
    const auto s = static_cast<std::size_t>(step);
    const VertexId user = edges_[edge].user, its_item = item(edges_[edge]);
    const VertexId centre = user_star ? user : its_item, leaf = user_star ? its_item : user;
    vertices_[centre].centre |= std::uint64_t{1} << step, vertices_[leaf].leaf |= std::uint64_t{1} << step;
    step_[edge] = static_cast<VertexId>(step), centre_[edge] = centre;
    ++step_ends_[s];
    longest_[s] = std::max(longest_[s], ++lengths_[centre][s]);
}

void StarForests::remove_from_step(VertexId edge) {
    const VertexId step = std::exchange(step_[edge], ~VertexId{0}), centre = centre_[edge];
    const VertexId user = edges_[edge].user, leaf = centre == user ? item(edges_[edge]) : user;
    vertices_[leaf].leaf &= ~(std::uint64_t{1} << step);
    if (--lengths_[centre][step] == 0) vertices_[centre].centre &= ~(std::uint64_t{1} << step);
    --step_ends_[step];
}

/// Groups the edge indices by user into by_user_. Sets `place` of each user to the position of its first
/// edge.
void StarForests::sort_by_user() {
    by_user_.resize(edges_.size());
    for (const TileEdge& e : edges_) vertices_[e.user].place = 0;
    VertexId end = 0;
    for (const TileEdge& e : edges_) {
        if (vertices_[e.user].place == 0) vertices_[e.user].place = end += vertices_[e.user].degree;
    }
    for (auto e = static_cast<VertexId>(edges_.size()); e-- > 0;)
        by_user_[--vertices_[edges_[e].user].place] = e;
}

/// Returns the edge by which `vertex` is a leaf in `step`.
VertexId StarForests::edge_of_leaf(VertexId vertex, VertexId step) const {
    const bool is_user = vertex < users_;
    const VertexId degree = vertices_[vertex].degree;
    const VertexId begin = vertices_[vertex].place - (is_user ? 0 : degree);
    for (VertexId i = begin; i < begin + degree; ++i) {
        const VertexId e = is_user ? by_user_[i] : i;
        if (step_[e] == step) return e;
    }
    throw std::logic_error("star forests: a leaf without an edge");
}

void StarForests::arrange(EdgeId* out, Forests& forests) {
    VertexId position = 0;
    for (VertexId& end : step_ends_) position += std::exchange(end, position);
    by_step_.resize(edges_.size());
    for (VertexId e = 0; e < edges_.size(); ++e) by_step_[step_ends_[step_[e]]++] = {e, centre_[e]};

    auto first = by_step_.cbegin();
    for (const VertexId step_end : step_ends_) {
        const auto end = by_step_.cbegin() + step_end;
        items_.clear();  // reused here for the centres of the step, in the order of their first edge
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
