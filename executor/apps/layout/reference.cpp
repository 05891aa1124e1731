#include "apps/layout/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <numeric>

#include "lockstep/executor/layout/random.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep::layout {

namespace {

using FloatPoint = Point<float, max_dimensions>;

/// A term of the stress: a pair of vertices with its distance and weight. `both`: whether an update moves
/// both vertices, or only `i`.
struct Term {
    VertexId i, j;
    double distance, weight;
    bool both = true;
};

/// Neighbours of every position of `parts`, each with the length of the shortest edge to it.
using Lengths = std::vector<std::map<VertexId, double>>;
Lengths lengths_of(const Graph& graph, const Parts& parts) {
    std::vector<VertexId> position(graph.rows);
    for (VertexId p = 0; p < graph.rows; ++p) position[parts.graph.vertex(p)] = p;
    Lengths lengths(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            const VertexId a = position[u], b = position[graph.col[e]];
            const double length = graph.weight(e) * parts.scale;
            if (a == b) continue;
            for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
                const auto [known, added] = lengths[from].try_emplace(to, length);
                known->second = std::min(known->second, length);
            }
        }
    }
    return lengths;
}

/// The reference for one connected component, whose vertices are numbered from 0.
class Reference {
public:
    Reference(const Lengths& all, const Parts& parts, std::size_t i, const std::vector<VertexId>& pivots)
        : n_(parts.first[i + 1] - parts.first[i]), lengths_(n_), pivots_(pivots) {
        const VertexId first = parts.first[i];
        for (VertexId v = 0; v < n_; ++v) {
            for (const auto& [u, length] : all[first + v]) lengths_[v].emplace(u - first, length);
        }
        if (pivots_.empty()) {
            for (VertexId v = 0; v < n_; ++v) distances_.push_back(distances(v));
        } else {
            weigh_pivots();
        }
    }

    /// Calls use(term) once for each term of the component.
    template <class Use>
    void for_each_term(Use use) const {
        if (pivots_.empty()) {
            for (VertexId i = 0; i < n_; ++i) {
                for (VertexId j = i + 1; j < n_; ++j)
                    use(Term{i, j, distances_[i][j], 1 / square(distances_[i][j])});
            }
            return;
        }
        for (std::size_t p = 0; p < pivots_.size(); ++p) for_each_pivot_term(p, use);
        for (VertexId i = 0; i < n_; ++i) {
            for (const auto& [j, length] : lengths_[i]) {
                if (i < j) use(Term{i, j, length, 1 / square(length)});
            }
        }
    }

    void sweep(std::vector<FloatPoint>& at, const Options& o, std::uint64_t t,
               const std::vector<VertexId>& place) const {
        const auto [least, largest] = range();
        const auto half_eta = static_cast<float>(step_size(t, o, least, largest) / 2);
        const auto run = [&](const Term& term) {
            const auto q = static_cast<float>(1 / term.distance);
            const auto weight =
                term.both ? q * q : static_cast<float>(term.weight * square(term.distance)) * q * q;
            term.both ? move_pair(at[term.i], at[term.j], q, half_eta)
                      : approach(at[term.i], at[term.j], q, weight, half_eta);
        };
        if (!pivots_.empty()) {
            for (const VertexId p : permutation(o.seed, static_cast<std::uint32_t>(2 * t + 2),
                                                static_cast<VertexId>(pivots_.size())))
                for_each_pivot_term(p, run);
            return for_each_matched_pair(run);
        }
        for_each_pairing(
            o.seed, t, place,
            // a and b are indices; the distance of the pair was computed from the vertex with the lower
            // index
            [&](VertexId a, VertexId b) {
                const VertexId i = place[std::min(a, b)], j = place[std::max(a, b)];
                run({i, j, distances_[i][j], 0});
            });
    }

private:
    static double square(double x) { return x * x; }

    /// Returns the distances of all vertices from `source`. A vertex is visited again whenever its distance
    /// decreases.
    std::vector<double> distances(VertexId source) const {
        std::vector<double> distance(n_, std::numeric_limits<double>::infinity());
        std::deque<VertexId> queue{source};
        for (distance[source] = 0; !queue.empty(); queue.pop_front()) {
            const VertexId v = queue.front();
            for (const auto& [u, length] : lengths_[v]) {
                if (distance[v] + length < distance[u])
                    distance[u] = distance[v] + length, queue.push_back(u);
            }
        }
        return distance;
    }
    void weigh_pivots() {
        std::vector<std::vector<float>> regions(pivots_.size());
        for (const VertexId p : pivots_) distances_.push_back(distances(p));
        for (VertexId v = 0; v < n_; ++v) {
            std::size_t nearest = 0;
            for (std::size_t p = 1; p < pivots_.size(); ++p) {
                if (static_cast<float>(distances_[p][v]) < static_cast<float>(distances_[nearest][v]))
                    nearest = p;
            }
            regions[nearest].push_back(static_cast<float>(distances_[nearest][v]));
        }
        for (std::size_t p = 0; p < pivots_.size(); ++p) {
            std::sort(regions[p].begin(), regions[p].end());
            std::vector<double>& shares = shares_.emplace_back();
            for (VertexId v = 0; v < n_; ++v) {
                const auto half = static_cast<float>(distances_[p][v]) / 2;
                shares.push_back(static_cast<double>(
                    std::upper_bound(regions[p].begin(), regions[p].end(), half) - regions[p].begin()));
            }
        }
    }
    /// Calls use(term) for the pairs of pivot `p` with every vertex, except the pivot and its neighbours.
    template <class Use>
    void for_each_pivot_term(std::size_t p, Use use) const {
        for (VertexId v = 0; v < n_; ++v) {
            const double d = distances_[p][v];
            if (v != pivots_[p] && !lengths_[v].contains(pivots_[p]))
                use(Term{v, pivots_[p], static_cast<float>(d), shares_[p][v] / square(static_cast<float>(d)),
                         false});
        }
    }
    /// Calls use(term) for all pairs of neighbours, in the order of the matchings of a schedule.
    template <class Use>
    void for_each_matched_pair(Use use) const {
        std::vector<Triple> edges;
        for (VertexId i = 0; i < n_; ++i) {
            for (const auto& [j, length] : lengths_[i]) {
                if (i < j) edges.push_back({i, j, static_cast<float>(length)});
            }
        }
        const Graph graph = build_graph(edges, n_, n_, {.shape = GraphShape::square, .ends = Ends::vertices});
        for (const EdgeId e : build_agm_e(graph, {}).order)
            use(Term{edges[e].row, edges[e].col, lengths_[edges[e].row].at(edges[e].col), 0});
    }
    /// Calls use(a, b) for all pairs of indices in the order of the tournament (tournament.hpp).
    template <class Use>
    void for_each_pairing(std::uint64_t seed, std::uint64_t t, const std::vector<VertexId>& place,
                          Use use) const {
        const Tournament tournament{(n_ + octet - 1) / octet};
        const SweepOrder order = draw_sweep_order(tournament, seed, t + 1);
        const auto member = [&](VertexId of, VertexId v) {  // returns the index of vertex v of a group
            const std::size_t i = std::size_t{of} * group_octets + v / octet;
            return i < order.octets.size() ? order.octets[i] * octet + v % octet : n_;
        };
        const auto meet_if_there = [&](VertexId a, VertexId b) {
            if (a < place.size() && b < place.size()) use(a, b);
        };
        for (VertexId own = 0; own < tournament.groups(); ++own) {
            for (VertexId x = 1; x < group; ++x) {
                for (VertexId v = 0; v < group; ++v) {
                    if (v < (v ^ x)) meet_if_there(member(own, v), member(own, v ^ x));
                }
            }
        }
        for (const VertexId phase : order.phases) {
            for (VertexId i = 0; i < tournament.pairings(); ++i) {
                VertexId one = 0, other = 0;
                tournament.pairing(phase, i, one, other);
                for (VertexId x = 0; x < group; ++x) {
                    for (VertexId v = 0; v < group; ++v) meet_if_there(member(one, v), member(other, v ^ x));
                }
            }
        }
    }
    std::pair<double, double> range() const {
        if (known_range_.second > 0) return known_range_;
        double least = std::numeric_limits<double>::infinity(), largest = 0;
        for_each_term([&](const Term& term) {
            const auto d = static_cast<float>(term.distance);
            const auto q = static_cast<float>(1 / term.distance);
            const double share = term.both ? 1 : term.weight * square(term.distance);
            const double weight = pivots_.empty() ? 1 / (double{d} * d)
                                  : term.both     ? q * q
                                                  : static_cast<float>(share) * q * q;
            least = std::min(least, weight), largest = std::max(largest, weight);
        });
        return known_range_ = {least, largest};
    }

    VertexId n_;
    Lengths lengths_;
    const std::vector<VertexId>& pivots_;
    std::vector<std::vector<double>> distances_, shares_;
    mutable std::pair<double, double> known_range_{0, 0};
};

}  // namespace

VertexPositions reference_places(const Graph& graph, const Options& o, const VertexPositions* start,
                                 std::uint64_t sweeps, const std::vector<std::vector<VertexId>>& pivots) {
    const Parts parts = parts_of(graph, 1);
    const Lengths lengths = lengths_of(graph, parts);
    std::vector<Positions> drawings;
    std::vector<std::vector<VertexId>> vertex;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const VertexId n = parts.component(i).vertices;
        const Reference reference(lengths, parts, i, pivots[i]);
        std::vector<VertexId>& each = vertex.emplace_back(n);
        std::iota(each.begin(), each.end(), VertexId{0});
        Positions& positions = drawings.emplace_back(first_positions(parts, i, o, start, each));
        std::vector<FloatPoint> at(n, FloatPoint{{0, 0, 0}});
        for (VertexId v = 0; v < n; ++v) {
            for (int k = 0; k < o.dimensions; ++k) at[v].x[k] = positions.at(k, v);
        }
        for (std::uint64_t t = 0; t < sweeps && n > 1; ++t) reference.sweep(at, o, t, places_of(n, o));
        for (VertexId v = 0; v < n; ++v) {
            for (int k = 0; k < o.dimensions; ++k) positions.at(k, v) = at[v].x[k];
        }
    }
    return arrange_components(std::move(drawings), parts, vertex);
}

Proof measure_drawing(const Graph& graph, const Options& o, const VertexPositions& places,
                      const std::vector<std::vector<VertexId>>& pivots) {
    const Parts parts = parts_of(graph, 1);
    const Lengths lengths = lengths_of(graph, parts);
    Proof proof;
    double rms_displacement = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Reference reference(lengths, parts, i, pivots[i]);
        const VertexId first = parts.first[i], n = parts.first[i + 1] - first;
        std::vector<std::array<double, max_dimensions>> gradient(n, {0, 0, 0});
        std::vector<double> stiffness(n, 0);
        double shortest = std::numeric_limits<double>::infinity();
        reference.for_each_term([&](const Term& term) {
            double between[max_dimensions] = {0, 0, 0}, length = 0;
            for (int k = 0; k < o.dimensions; ++k) {
                const auto at = [&](VertexId v) {
                    return places[std::size_t{parts.graph.vertex(first + v)} * o.dimensions + k] *
                           parts.scale;
                };
                between[k] = at(term.i) - at(term.j);
                length += between[k] * between[k];
            }
            length = std::sqrt(length);
            const double off = length - term.distance;
            proof.stress += term.weight * off * off * (term.both ? 1 : 0.5);
            shortest = std::min(shortest, term.distance);
            for (int k = 0; k < o.dimensions && length > 0; ++k) {
                const double pull = term.weight * off * between[k] / length;
                gradient[term.i][k] += pull;
                if (term.both) gradient[term.j][k] -= pull;
            }
            stiffness[term.i] += term.weight;
            if (term.both) stiffness[term.j] += term.weight;
        });
        for (VertexId v = 0; v < n && n > 1; ++v) {
            for (const double g : gradient[v]) rms_displacement += std::pow(g / stiffness[v] / shortest, 2);
        }
    }
    if (graph.rows > 0) proof.rms_displacement = std::sqrt(rms_displacement / graph.rows);
    return proof;
}

}  // namespace lockstep::layout
