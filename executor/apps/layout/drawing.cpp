#include "apps/layout/drawing.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/executor/layout/random.hpp"
#include "lockstep/formats/memory.hpp"

namespace lockstep::layout {

/// A connected component with its terms of the stress: either all pairs of vertices, or pairs with pivot
/// vertices.
struct Drawing::Part {
    VertexId vertices = 0;
    FullStress full;
    std::unique_ptr<PivotStress> sparse;
    std::unique_ptr<PivotRun> run;
    Runner on_device;
    std::vector<VertexId> vertex;  ///< vertex of the graph at each index of the positions
    Positions positions, before;
    double least = 0, largest = 0;  ///< smallest and largest weight of a term
};

double step_size(std::uint64_t t, const Options& o, double least, double largest) {
    const double most = 1 / least, end = o.eps / largest, last = 1 / largest;
    const double fall = o.sweeps > 1 ? std::log(most / end) / static_cast<double>(o.sweeps - 1) : 0;
    const double eta = most * std::exp(-fall * static_cast<double>(t));
    if (!o.until || eta >= last || fall <= 0) return eta;
    const double turn = std::ceil(std::log(most / last) / fall);
    return last / (1 + fall * (static_cast<double>(t) - turn));
}

std::vector<VertexId> places_of(VertexId vertices, const Options& options) {
    return permutation(options.seed, static_cast<std::uint32_t>(RandomStream::places), vertices);
}

Positions first_positions(const Parts& parts, std::size_t component, const Options& options,
                          const VertexPositions* start, const std::vector<VertexId>& vertex) {
    const auto d = static_cast<std::size_t>(options.dimensions);
    const auto n = static_cast<VertexId>(vertex.size());
    const auto drawn = draw_random(options.seed + component, static_cast<std::uint32_t>(RandomStream::start),
                                   start ? 0 : n * options.dimensions);
    Positions positions(options.dimensions, n);
    for (VertexId place = 0; place < n; ++place) {
        const VertexId v = vertex[place];
        const float* const given =
            start ? start->data() + d * parts.graph.vertex(parts.first[component] + v) : nullptr;
        for (std::size_t k = 0; k < d; ++k)
            positions.at(static_cast<int>(k), place) =
                given ? static_cast<float>(given[k] * parts.scale)
                      : static_cast<float>(drawn[d * v + k] >> 8) * 0x1p-24F;
    }
    return positions;
}

VertexPositions arrange_components(std::vector<Positions> drawings, const Parts& parts,
                                   const std::vector<std::vector<VertexId>>& vertex) {
    place_side_by_side(drawings, parts, 1);
    const auto unit = static_cast<float>(1 / parts.scale);
    const std::size_t d = drawings.empty() ? 0 : static_cast<std::size_t>(drawings[0].dimensions);
    VertexPositions places(d * parts.graph.vertices);
    for (std::size_t i = 0; i < drawings.size(); ++i) {
        for (std::size_t place = 0; place < vertex[i].size(); ++place) {
            float* const to = places.data() + d * parts.graph.vertex(parts.first[i] + vertex[i][place]);
            for (std::size_t k = 0; k < d; ++k)
                to[k] = drawings[i].at(static_cast<int>(k), static_cast<VertexId>(place)) * unit;
        }
    }
    return places;
}

namespace {

std::vector<VertexId> identity(VertexId n) {
    std::vector<VertexId> order(n);
    std::iota(order.begin(), order.end(), VertexId{0});
    return order;
}

}  // namespace

Drawing::Drawing(const Graph& graph, const Options& options)
    : options_(options), parts_(parts_of(graph, options.threads)) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const VertexId n = parts_.component(i).vertices;
        bytes_ +=
            n > options.full_up_to ? EdgeId{8} * (n + 8) * std::min(options.pivots, n) : FullStress::bytes(n);
    }
    if (bytes_ > physical_memory())
        throw Error(Failure::bad_input, fmt::format("the terms need {} bytes of memory, but this machine has "
                                                    "{}; give a smaller --full-up-to, or fewer --pivots",
                                                    bytes_, physical_memory()));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Component component = parts_.component(i);
        Part& part = part_.emplace_back();
        part.vertices = component.vertices;
        if (part.vertices > options.full_up_to) {
            if (options.racing)
                throw ScheduleError(
                    fmt::format("a component of {} vertices is laid out by pivots, which the unsynchronized "
                                "strategy does not support; to use all pairs, give a larger --full-up-to",
                                part.vertices),
                    Failure::usage);
            part.sparse = std::make_unique<PivotStress>(
                pivot_stress(component, options.pivots, options.seed, options.threads));
            if (options.device != Device::cuda)
                part.run = std::make_unique<PivotRun>(*part.sparse, options.threads);
            part.least = part.sparse->least, part.largest = part.sparse->largest;
        } else {
            part.full = full_stress(component, options.seed, options.threads);
            part.least = 1 / (double{part.full.longest} * part.full.longest);
            part.largest = 1 / (double{part.full.shortest} * part.full.shortest);
        }
        part.vertex = part.sparse ? identity(part.vertices) : std::move(part.full.vertex);
        if (options.device == Device::cuda && part.vertices > 1) {
            part.on_device = on_device(
                options.device, [] { return Runner(); },
                [&] {
                    return part.sparse ? pivots_on_cuda(*part.sparse, options.dimensions)
                                       : full_on_cuda(part.full, options.dimensions, options.racing);
                });
            transfer_seconds_ += part.on_device.transfer_seconds;
        }
    }
    if (options_.sweeps_by_distances) options_.sweeps = suitable_sweeps();
}

/// Returns a number of sweeps that suits the graph. The schedule moves vertices in groups of eight (octets,
/// tournament.hpp). If all distances in the graph are similar, the effect of these groups disappears only
/// after more sweeps: after 15 sweeps the stress is 1.04 to 1.08 times that of terms in random order, after
/// 90 sweeps it is equal.
std::uint64_t Drawing::suitable_sweeps() const {
    constexpr float alike = 10;
    constexpr std::uint64_t usual = 15, many = 90;
    const auto is_alike = [](const Part& part) {
        return !part.sparse && part.vertices > group && part.full.longest <= alike * part.full.shortest;
    };
    return std::ranges::any_of(part_, is_alike) ? many : usual;
}

Drawing::~Drawing() = default;

void Drawing::begin(const VertexPositions* start) {
    swept_ = 0;
    for (std::size_t i = 0; i < part_.size(); ++i) {
        part_[i].before = part_[i].positions = first_positions(parts_, i, options_, start, part_[i].vertex);
    }
}

double Drawing::sweep(std::uint64_t count) {
    double seconds = 0;
    for (Part& part : part_) {
        if (part.vertices < 2) continue;
        std::vector<SweepOrder> orders;
        std::vector<float> half_etas;
        const Tournament tournament = part.full.tournament();
        for (std::uint64_t t = swept_; t < swept_ + count; ++t) {
            half_etas.push_back(static_cast<float>(step_size(t, options_, part.least, part.largest) / 2));
            if (part.sparse)
                orders.push_back({{},
                                  permutation(options_.seed, static_cast<std::uint32_t>(2 * t + 2),
                                              static_cast<VertexId>(part.sparse->pivots.size()))});
            else
                orders.push_back(draw_sweep_order(tournament, options_.seed, t + 1));
        }
        const double start = omp_get_wtime();
        if (part.on_device.run) {
            seconds += part.on_device.run(swept_ == 0 ? &part.positions : nullptr, orders, half_etas);
            continue;
        }
        for (std::uint64_t t = 0; t < count; ++t) {
            if (part.sparse)
                part.run->sweep(orders[t].phases, half_etas[t], part.positions);
            else
                sweep_on_cpu(part.full, orders[t], half_etas[t], part.positions, options_.threads,
                             options_.racing);
        }
        seconds += omp_get_wtime() - start;
    }
    swept_ += count;
    for (Part& part : part_) {
        if (part.on_device.result) part.on_device.result(part.positions);
    }
    return seconds;
}

double Drawing::stress() const {
    double sum = 0;
    for (const Part& part : part_)
        sum += part.sparse ? layout::stress_of(*part.sparse, part.positions, options_.threads)
                           : layout::stress_of(part.full, part.positions, options_.threads);
    return sum;
}

double Drawing::change() {
    double most = 0;
    for (Part& part : part_) {
        double furthest = 0;
        for (VertexId v = 0; v < part.vertices; ++v) {
            double way = 0;
            for (int k = 0; k < options_.dimensions; ++k) {
                const double moved = double{part.positions.at(k, v)} - part.before.at(k, v);
                way += moved * moved;
            }
            furthest = std::max(furthest, way);
        }
        most = std::max(most, std::sqrt(furthest * part.largest));
        part.before = part.positions;
    }
    return most;
}

VertexPositions Drawing::places() const {
    std::vector<Positions> drawings;
    std::vector<std::vector<VertexId>> vertex;
    for (const Part& part : part_) drawings.push_back(part.positions), vertex.push_back(part.vertex);
    return arrange_components(std::move(drawings), parts_, vertex);
}

EdgeId Drawing::terms() const {
    EdgeId sum = 0;
    for (const Part& part : part_) sum += part.sparse ? part.sparse->count() : part.full.terms();
    return sum;
}

const std::vector<VertexId>& Drawing::pivots(std::size_t component) const {
    static const std::vector<VertexId> none;
    return part_[component].sparse ? part_[component].sparse->pivots : none;
}

}  // namespace lockstep::layout
