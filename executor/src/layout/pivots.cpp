#include "lockstep/executor/layout/pivots.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "lockstep/executor/layout/random.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::layout {

namespace {

/// Chooses the pivots, and computes all distances from them and the nearest pivot of every vertex.
class Pivots {
public:
    Pivots(const Component& component, VertexId count, PivotStress& stress, int threads)
        : component_(component),
          stress_(stress),
          threads_(threads),
          nearest_(component.vertices, std::numeric_limits<float>::infinity()),
          owner_(component.vertices) {
        stress_.vertices = component.vertices;
        stress_.pivots.resize(std::min(count, component.vertices));
        stress_.terms.assign(stress_.block(stress_.octets(), 0), 0.0F);
    }

    /// Chooses the pivots in batches, because the searches from the pivots of a batch run in parallel: first
    /// one, then again one, and then as many as have been chosen so far.
    void choose(std::uint64_t seed) {
        const std::vector<std::uint32_t> random =
            draw_random(seed, static_cast<std::uint32_t>(RandomStream::pivots),
                        static_cast<VertexId>(stress_.pivots.size()));
        std::vector<VertexId> taken;
        const std::size_t wanted = stress_.pivots.size();
        for (std::size_t done = 0; done < wanted; done = taken.size()) {
            const std::size_t more = std::min(std::max<std::size_t>(done, 1), wanted - done);
            for (const VertexId v : drawn(std::span(random).subspan(done, more))) taken.push_back(v);
            std::copy(taken.begin(), taken.end(), stress_.pivots.begin());
            measure(done, taken.size());
        }
    }
    void weigh() {
        const std::vector<std::vector<float>> regions = sorted_regions();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_)
        for (std::size_t p = 0; p < stress_.pivots.size(); ++p) {
            for (VertexId v = 0; v < stress_.vertices; ++v) {
                float* const q = entry(v, p);
                float& weight = q[octet];
                if (weight == 0) continue;  // v is the pivot itself
                *q = 1 / weight;
                const auto near =
                    std::upper_bound(regions[p].begin(), regions[p].end(), weight / 2) - regions[p].begin();
                weight = static_cast<float>(near) * *q * *q;
            }
            component_.for_each_neighbour(
                stress_.pivots[p], [&](VertexId v, double) { entry(v, p)[0] = entry(v, p)[octet] = 0; });
        }
    }

private:
    float* entry(VertexId v, std::size_t p) const {
        return stress_.terms.data() + stress_.block(v / octet, p) + v % octet;
    }
    /// Returns different vertices, which are drawn with probabilities proportional to their distances from
    /// the nearest pivot, or uniformly if there is no pivot yet.
    std::vector<VertexId> drawn(std::span<const std::uint32_t> random) const {
        const bool first = nearest_[0] == std::numeric_limits<float>::infinity();
        const auto chance = [&](VertexId v) { return first ? 1.0 : static_cast<double>(nearest_[v]); };
        double sum = 0;
        for (VertexId v = 0; v < stress_.vertices; ++v) sum += chance(v);
        std::vector<double> at;
        for (const std::uint32_t word : random) at.push_back(word * 0x1p-32 * sum);
        std::sort(at.begin(), at.end());
        std::vector<VertexId> found;
        double passed = 0;
        std::size_t next = 0;
        for (VertexId v = 0; v < stress_.vertices && next < at.size(); ++v) {
            passed += chance(v);
            if (chance(v) == 0 || at[next] >= passed) continue;
            found.push_back(v);
            while (next < at.size() && at[next] < passed) ++next;
        }
        for (VertexId v = 0; found.empty(); ++v) {
            if (chance(v) > 0) found.push_back(v);
        }
        return found;
    }
    void measure(std::size_t begin, std::size_t end) {
        ParallelErrors errors;
#pragma omp parallel num_threads(threads_)
        {
            std::optional<Paths> paths;
            errors.run([&] { paths.emplace(component_); });
#pragma omp for schedule(dynamic, 1)
            for (std::size_t p = begin; p < end; ++p) {
                if (!paths) continue;
                const auto distance = paths->from(stress_.pivots[p]);
                for (VertexId v = 0; v < stress_.vertices; ++v)
                    entry(v, p)[octet] = static_cast<float>(distance[v]);
            }
#pragma omp for schedule(static)
            for (VertexId v = 0; v < stress_.vertices; ++v) {
                for (std::size_t p = begin; p < end; ++p) {
                    const float distance = entry(v, p)[octet];
                    if (distance < nearest_[v]) nearest_[v] = distance, owner_[v] = p;
                }
            }
        }
        errors.rethrow();
    }
    /// Returns, for each pivot, the distances of the vertices in its region, in ascending order.
    std::vector<std::vector<float>> sorted_regions() const {
        std::vector<std::vector<float>> regions(stress_.pivots.size());
        for (VertexId v = 0; v < stress_.vertices; ++v) regions[owner_[v]].push_back(nearest_[v]);
        for (auto& region : regions) std::sort(region.begin(), region.end());
        return regions;
    }

    const Component& component_;
    PivotStress& stress_;
    int threads_;
    std::vector<float> nearest_;
    std::vector<std::size_t> owner_;
};

Graph edges_of(const Component& component) {
    std::vector<Triple> edges;
    for (VertexId v = 0; v < component.vertices; ++v) {
        component.for_each_neighbour(v, [&](VertexId u, double length) {
            if (v < u) edges.push_back({v, u, static_cast<float>(1 / length)});
        });
    }
    return build_graph(std::move(edges), component.vertices, component.vertices,
                       {.shape = GraphShape::square, .input_order = false, .ends = Ends::vertices});
}

/// Stores the minimum and the maximum of the nonzero weights.
void set_range(PivotStress& stress, int threads) {
    float least = std::numeric_limits<float>::infinity(), largest = 0;
    const VertexId octets = stress.octets();
    const auto take = [&](float& low, float& high, float weight) {
        if (weight > 0) low = std::min(low, weight), high = std::max(high, weight);
    };
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : least) reduction(max : largest)
    for (VertexId o = 0; o < octets; ++o) {
        for (EdgeId i = stress.block(o, 0); i < stress.block(o + 1, 0); ++i) {
            if (i / octet % 2) take(least, largest, stress.terms[i]);
        }
    }
    for (const float q : stress.edges.value) take(least, largest, q * q);
    stress.least = least, stress.largest = largest;
}

template <int D>
Point<float, D> at(const Positions& positions, VertexId v) {
    Point<float, D> p;
    for (int k = 0; k < D; ++k) p.x[k] = positions.at(k, v);
    return p;
}

template <int D>
std::vector<float> pivot_paths(const PivotStress& stress, const std::vector<VertexId>& order, float half_eta,
                               const Positions& positions) {
    std::vector<Point<float, D>> now;
    for (const VertexId v : stress.pivots) now.push_back(at<D>(positions, v));
    std::vector<float> ways;
    for (const VertexId p : order) {
        const Point<float, D> here = now[p];
        ways.insert(ways.end(), here.x, here.x + D);
        for (std::size_t i = 0; i < now.size(); ++i) {
            const float* const q =
                stress.terms.data() + stress.block(stress.pivots[i] / octet, p) + stress.pivots[i] % octet;
            approach(now[i], here, q[0], q[octet], half_eta);
        }
    }
    return ways;
}

/// Applies the terms with all pivots to N octets of vertices together: N independent chains of operations
/// keep the processor busy.
template <int D, VertexId N>
void approach_pivots(const PivotStress& stress, const std::vector<VertexId>& order, const float* way,
                     Pack half_eta, Positions& positions, VertexId first) {
    Point<Pack, D> p[N];
    const auto place = [&](VertexId n, int k) {
        return &positions.x[std::size_t{positions.places} * k + (first + n) * octet];
    };
    for (VertexId n = 0; n < N; ++n) {
        for (int k = 0; k < D; ++k) p[n].x[k] = Pack::load(place(n, k));
    }
    for (const VertexId pivot : order) {
        Point<Pack, D> here;
        for (int k = 0; k < D; ++k) here.x[k] = Pack::all(*way++);
        for (VertexId n = 0; n < N; ++n) {
            const float* const q = stress.terms.data() + stress.block(first + n, pivot);
            approach(p[n], here, Pack::load(q), Pack::load(q + octet), half_eta);
        }
    }
    for (VertexId n = 0; n < N; ++n) {
        for (int k = 0; k < D; ++k) p[n].x[k].store(place(n, k));
    }
}

template <int D>
void approach_all(const PivotStress& stress, const std::vector<VertexId>& order, float half_eta,
                  Positions& positions, int threads) {
    constexpr VertexId side_by_side = 4;
    const std::vector<float> way = pivot_paths<D>(stress, order, half_eta, positions);
    const Pack eta = Pack::all(half_eta);
    const VertexId octets = stress.octets(), blocks = octets / side_by_side;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (VertexId b = 0; b < blocks; ++b)
        approach_pivots<D, side_by_side>(stress, order, way.data(), eta, positions, b * side_by_side);
    for (VertexId o = blocks * side_by_side; o < octets; ++o)
        approach_pivots<D, 1>(stress, order, way.data(), eta, positions, o);
}

template <int D>
double stress(const PivotStress& stress, const Positions& positions, int threads) {
    const auto error = [&](const Point<float, D>& a, const Point<float, D>& b, float q) {
        const double e = multiply(q, length(difference(a, b))) - 1.0;
        return e * e;
    };
    std::vector<double> rows(stress.vertices);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (VertexId v = 0; v < stress.vertices; ++v) {
        double sum = 0;
        for (std::size_t p = 0; p < stress.pivots.size(); ++p) {
            const float* const q = stress.terms.data() + stress.block(v / octet, p) + v % octet;
            if (*q > 0)
                sum += q[octet] / (*q * *q) / 2 *
                       error(at<D>(positions, v), at<D>(positions, stress.pivots[p]), *q);
        }
        for (const EdgeId e : stress.edges.edges_of(v))
            sum += error(at<D>(positions, v), at<D>(positions, stress.edges.col[e]), stress.edges.value[e]);
        rows[v] = sum;
    }
    return std::accumulate(rows.begin(), rows.end(), 0.0);
}

}  // namespace

PivotStress pivot_stress(const Component& component, VertexId pivots, std::uint64_t seed, int threads) {
    PivotStress stress;
    Pivots chosen(component, pivots, stress, threads);
    chosen.choose(seed);
    chosen.weigh();
    stress.edges = edges_of(component);
    stress.matchings = build_agm_e(stress.edges, {});
    set_range(stress, threads);
    return stress;
}

void set_lengths(const PivotStress& stress, update::Run<EdgeTerm>& run) {
    std::vector<EdgeTerm::Edge> lengths;
    for (const float q : stress.edges.value) lengths.push_back({q});
    run.set_edges(lengths);
}
void put(const Positions& positions, update::Run<EdgeTerm>& run) {
    for (VertexId v = 0; v < run.vertices.size(); ++v) {
        run.vertices[v] = {};
        for (int k = 0; k < positions.dimensions; ++k) run.vertices[v].x[k] = positions.at(k, v);
    }
}
void get(const update::Run<EdgeTerm>& run, Positions& positions) {
    for (VertexId v = 0; v < run.vertices.size(); ++v) {
        for (int k = 0; k < positions.dimensions; ++k) positions.at(k, v) = run.vertices[v].x[k];
    }
}

PivotRun::PivotRun(const PivotStress& stress, int threads)
    : stress_(stress),
      threads_(threads),
      edges_(stress.edges, find_strategy("agm-e"), &stress.matchings, threads) {
    set_lengths(stress, edges_);
}

void PivotRun::sweep(const std::vector<VertexId>& order, float half_eta, Positions& positions) {
    const auto run = positions.dimensions == 3 ? approach_all<3> : approach_all<2>;
    run(stress_, order, half_eta, positions, threads_);
    put(positions, edges_);
    edges_.sweep({half_eta});
    get(edges_, positions);
}

double stress_of(const PivotStress& of, const Positions& positions, int threads) {
    return positions.dimensions == 3 ? stress<3>(of, positions, threads) : stress<2>(of, positions, threads);
}

}  // namespace lockstep::layout
