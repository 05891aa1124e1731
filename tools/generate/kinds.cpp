#include "kinds.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "cloth.hpp"
#include "graphs.hpp"
#include "lockstep/formats/npy.hpp"
#include "ratings.hpp"

namespace lockstep::generate {
namespace {
using cli::UsageError;

VertexId checked_count(std::uint64_t vertices) {
    if (vertices < 2 || vertices > max_generated_vertices)
        throw UsageError(fmt::format("{} vertices: expected 2 to {}", vertices, max_generated_vertices));
    return static_cast<VertexId>(vertices);
}

template <bool skewed>
void make_bipartite(const Task& task) {
    const GenerateOptions& options = task.options;
    RatingsShape shape;
    shape.users = required(options.users, "users");
    shape.items = required(options.items, "items");
    shape.edges = required(options.edges, "edges");
    if (skewed) shape.max_degree = required(options.max_degree, "max-degree");
    RatingsModel model;
    model.scale = range(options.scale, "scale");
    model.rank = options.rank.value_or(model.rank);
    if (model.scale) model.mean = (model.scale->first + model.scale->second) / 2;
    model.mean = options.mean.value_or(model.mean);
    model.deviation = options.deviation.value_or(model.deviation);
    model.noise = options.noise.value_or(model.noise);

    EdgeWriter& writer = task.open(shape.users, shape.items, shape.edges);
    const PlantedRatings rating(shape.users, shape.items, model, task.seed);
    const auto write = [&](VertexId user, VertexId item) { writer.write(user, item, rating(user, item)); };
    if (!skewed) return uniform_pairs(shape.users, shape.items, shape.edges, task.seed, write);
    std::vector<Pair> pairs;
    {
        cli::Progress progress("choosing", shape.edges, task.common);
        pairs = skewed_pairs(shape, task.seed, [&](EdgeId done) {
            cli::check_signal();
            progress.update(done);
        });
    }
    for (const auto& [user, item] : pairs) write(user, item);
}

void make_road(const Task& task) {
    const GenerateOptions& options = task.options;
    RoadShape shape;
    if (options.vertices) {
        if (options.width || options.height) {
            throw UsageError("--vertices excludes --width and --height");
        }
        shape.vertices = required(options.vertices, "vertices");
        shape.width = static_cast<VertexId>(std::ceil(std::sqrt(static_cast<double>(shape.vertices))));
    } else {
        shape.width = required(options.width, "width");
        shape.vertices = std::uint64_t{shape.width} * required(options.height, "height");
    }
    const VertexId vertices = checked_count(shape.vertices);
    shape.drop = options.drop.value_or(shape.drop);

    EdgeWriter& writer = task.open(vertices, vertices, shape.vertices * 5 / 4);
    road(shape, task.seed,
         [&](VertexId u, VertexId v, double length) { writer.write(u, v, static_cast<float>(length)); });
}

DrawnArcs drawn_arcs(const GenerateOptions& options, EdgeId edges) {
    return {.edges = edges,
            .duplicates = !options.no_duplicates,
            .self_loops = !options.no_self_loops,
            .undirected = options.both_arcs};
}

void make_rmat(const Task& task) {
    const GenerateOptions& options = task.options;
    RmatShape shape;
    const std::string& given = required(options.scale, "scale");
    const auto scale = cli::parse_number<unsigned>(given, 1, 30);
    if (!scale) throw UsageError(fmt::format("--scale must be 1 to 30, not {}", given));
    shape.scale = *scale;
    const EdgeId edges = options.edge_factor.value_or(16) << shape.scale;
    shape.a = options.a.value_or(shape.a);
    shape.b = options.b.value_or(shape.b);
    shape.c = options.c.value_or(shape.c);
    if (shape.a + shape.b + shape.c > 1) throw UsageError("--a, --b and --c add up to more than 1");

    const VertexId vertices = VertexId{1} << shape.scale;
    EdgeWriter& writer = task.open(vertices, vertices, edges);
    rmat(shape, drawn_arcs(options, edges), task.seed, cli::check_signal,
         [&](VertexId u, VertexId v) { writer.write(u, v); });
}

void make_random(const Task& task) {
    const GenerateOptions& options = task.options;
    const VertexId vertices = required(options.vertices, "vertices");
    const auto edges = required(options.edges, "edges");
    EdgeWriter& writer = task.open(vertices, vertices, edges);
    random_arcs(vertices, drawn_arcs(options, edges), task.seed, cli::check_signal,
                [&](VertexId u, VertexId v) { writer.write(u, v); });
}

void make_torus(const Task& task) {
    const std::string& given = required(task.options.sides, "sides");
    std::vector<VertexId> sides;
    std::uint64_t vertices = 1;
    for (std::size_t at = 0; at <= given.size();) {
        const std::size_t end = std::min(given.find(',', at), given.size());
        const auto side = cli::parse_number<VertexId>(given.substr(at, end - at), 1, max_generated_vertices);
        if (!side || sides.size() == 32)
            throw UsageError(fmt::format(
                "--sides requires up to 32 numbers of at least 1, such as 64,64,64, not {}", given));
        sides.push_back(*side);
        if (vertices <= max_generated_vertices) vertices *= *side;
        at = end + 1;
    }
    const VertexId n = checked_count(vertices);
    EdgeWriter& writer = task.open(n, n, EdgeId{n} * sides.size());
    torus(sides, [&](VertexId u, VertexId v) { writer.write(u, v); });
}

template <FixedDegreeGraph kind>
void make_plain(const Task& task) {
    const GenerateOptions& options = task.options;
    std::uint64_t vertices = 0;
    VertexId width = 0, degree = 0;
    if (kind == FixedDegreeGraph::grid) {
        width = required(options.width, "width");
        vertices = std::uint64_t{width} * required(options.height, "height");
    } else {
        vertices = required(options.vertices, "vertices");
    }
    const VertexId n = checked_count(vertices);
    if (kind == FixedDegreeGraph::regular) degree = required(options.degree, "degree");
    if (degree >= n)
        throw UsageError(fmt::format("--degree must be 1 to {} for {} vertices, not {}", n - 1, n, degree));
    EdgeWriter& writer = task.open(n, n, plain_edges(kind, n, degree));
    plain(kind, n, width, degree, [&](VertexId u, VertexId v) { writer.write(u, v); });
}

void make_cloth(const Task& task) {
    const GenerateOptions& options = task.options;
    const ClothShape shape{required(options.width, "width"), required(options.height, "height"),
                           options.noise.value_or(0.0)};
    const VertexId vertices = checked_count(std::uint64_t{shape.width} * shape.height);
    EdgeWriter& writer = task.open(vertices, vertices, EdgeId{6} * vertices);
    cloth(shape,
          [&](VertexId u, VertexId v, double length) { writer.write(u, v, static_cast<float>(length)); });
    NpyArray positions{"<f4", {vertices, 3}, {}};
    const std::vector<float> values = cloth_positions(shape, task.seed);
    const auto bytes = std::as_bytes(std::span(values));
    positions.bytes.assign(bytes.begin(), bytes.end());
    write_npy(cloth_positions_path(required(options.output, "output")), positions);
}

}  // namespace

std::filesystem::path cloth_positions_path(std::filesystem::path edges) {
    if (edges == "-")
        throw UsageError(
            "a cloth consists of two files: give -o FILE; the positions are written to a .npy file in the "
            "same folder");
    return edges.replace_extension(".npy");
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"ratings",
         {"users", "items", "edges", "max-degree", "noise", "rank", "mean", "deviation", "scale"},
         make_bipartite<true>,
         false,
         true},
        {"uniform",
         {"users", "items", "edges", "noise", "rank", "mean", "deviation", "scale"},
         make_bipartite<false>,
         false,
         true},
        {"road", {"width", "height", "vertices", "drop"}, make_road, true, true},
        {"rmat", {"scale", "edge-factor", "a", "b", "c", "no-duplicates", "no-self-loops"}, make_rmat},
        {"kronecker", {"scale", "edge-factor", "no-duplicates", "no-self-loops"}, make_rmat},
        {"random", {"vertices", "edges", "no-duplicates", "no-self-loops"}, make_random},
        {"torus", {"sides"}, make_torus},
        {"grid", {"width", "height"}, make_plain<FixedDegreeGraph::grid>},
        {"star", {"vertices"}, make_plain<FixedDegreeGraph::star>},
        {"chain", {"vertices"}, make_plain<FixedDegreeGraph::chain>},
        {"ring", {"vertices"}, make_plain<FixedDegreeGraph::ring>},
        {"regular", {"vertices", "degree"}, make_plain<FixedDegreeGraph::regular>},
        {"tree", {"vertices"}, make_plain<FixedDegreeGraph::tree>},
        {"complete", {"vertices"}, make_plain<FixedDegreeGraph::complete>},
        {"cloth", {"width", "height", "noise"}, make_cloth, true, true},
        {"mesh", {"points"}, nullptr, false},  // not a graph: main.cpp writes the mesh
    };
    return all;
}

const Kind& kind_of(const GenerateOptions& options, const Fields& given) {
    const Kind* const kind = options.kind;
    if (!kind) {
        std::string names;
        for (const Kind& k : kinds()) names += fmt::format("{}{}", names.empty() ? "" : ", ", k.name);
        throw UsageError(fmt::format("KIND is missing: expected one of {}", names));
    }
    const auto has = [](const Kind& k, const std::string& option) {
        const bool of_square = option == "both-arcs" || option == "weights";
        return of_square ? k.square
                         : std::find(k.options.begin(), k.options.end(), option) != k.options.end();
    };
    for (const Kind& other : kinds()) {
        std::vector<std::string> all = other.options;
        all.insert(all.end(), {"both-arcs", "weights"});
        for (const std::string& option : all) {
            if (given.is_given(option) && !has(*kind, option))
                throw UsageError(fmt::format("--{} is not an option of {}", option, kind->name));
        }
    }
    return *kind;
}

}  // namespace lockstep::generate
