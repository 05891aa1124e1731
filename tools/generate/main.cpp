// lockstep-generate: seeded input of a known shape, written as an edge list.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "arguments.hpp"
#include "edge_writer.hpp"
#include "graphs.hpp"
#include "outputs.hpp"
#include "ratings.hpp"

namespace lockstep::generate {
namespace {
namespace po = boost::program_options;
using cli::UsageError;

/// The options of each kind, beside those of all.
const std::map<std::string, std::set<std::string>> kinds{
    {"ratings", {"users", "items", "edges", "max-degree", "noise", "rank", "mean", "deviation", "scale"}},
    {"uniform", {"users", "items", "edges", "noise", "rank", "mean", "deviation", "scale"}},
    {"road", {"width", "height", "vertices", "drop"}},
    {"rmat", {"scale", "edge-factor", "a", "b", "c", "no-duplicates"}},
    {"star", {"vertices"}},
    {"chain", {"vertices"}},
    {"ring", {"vertices"}},
    {"regular", {"vertices", "degree"}},
    {"grid", {"width", "height"}},
    {"tree", {"vertices"}},
    {"complete", {"vertices"}},
};
const std::map<std::string, Plain> plain_kinds{
    {"star", Plain::star},         {"chain", Plain::chain}, {"ring", Plain::ring},
    {"regular", Plain::regular},   {"grid", Plain::grid},   {"tree", Plain::tree},
    {"complete", Plain::complete},
};

/// Opens the output for a graph of so many rows, columns and (about) edges.
using Open = std::function<EdgeWriter&(VertexId, VertexId, EdgeId)>;

struct Task {
    Arguments arguments;
    std::uint64_t seed;
    Open open;
    cli::Common common;
};

void make_bipartite(const Task& task, bool skewed) {
    const Arguments& arguments = task.arguments;
    RatingsShape shape;
    shape.users = arguments.vertices("users");
    shape.items = arguments.vertices("items");
    shape.edges = arguments.value<EdgeId>("edges");
    if (skewed) shape.max_degree = arguments.vertices("max-degree");
    RatingsModel model;
    model.scale = arguments.range("scale");
    model.rank = arguments.value("rank", model.rank);
    if (model.scale) model.mean = (model.scale->first + model.scale->second) / 2;
    model.mean = arguments.value("mean", model.mean);
    model.deviation = arguments.value("deviation", model.deviation);
    model.noise = arguments.value("noise", model.noise);

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
    const Arguments& arguments = task.arguments;
    RoadShape shape;
    if (arguments.has("vertices")) {
        if (arguments.has("width") || arguments.has("height")) {
            throw UsageError("--vertices goes without --width and --height");
        }
        shape.vertices = arguments.vertices("vertices");
        shape.width = static_cast<VertexId>(std::ceil(std::sqrt(static_cast<double>(shape.vertices))));
    } else {
        shape.width = arguments.vertices("width");
        shape.vertices = std::uint64_t{shape.width} * arguments.vertices("height");
    }
    if (shape.vertices < 2 || shape.vertices > most_vertices) {
        throw UsageError(fmt::format("{} vertices: expected 2 to {}", shape.vertices, most_vertices));
    }
    shape.drop = arguments.value("drop", shape.drop);

    const auto vertices = static_cast<VertexId>(shape.vertices);
    EdgeWriter& writer = task.open(vertices, vertices, shape.vertices * 5 / 4);
    road(shape, task.seed,
         [&](VertexId u, VertexId v, double length) { writer.write(u, v, static_cast<float>(length)); });
}

void make_rmat(const Task& task) {
    const Arguments& arguments = task.arguments;
    RmatShape shape;
    shape.scale = arguments.within<unsigned>("scale", 1, 30);
    shape.edges = arguments.value("edge-factor", EdgeId{16}) << shape.scale;
    shape.a = arguments.value("a", shape.a);
    shape.b = arguments.value("b", shape.b);
    shape.c = arguments.value("c", shape.c);
    if (shape.a + shape.b + shape.c > 1) throw UsageError("--a, --b and --c add up to more than 1");
    shape.duplicates = !arguments.has("no-duplicates");

    const VertexId vertices = VertexId{1} << shape.scale;
    EdgeWriter& writer = task.open(vertices, vertices, shape.edges);
    rmat(
        shape, task.seed, [](EdgeId) { cli::check_signal(); },
        [&](VertexId u, VertexId v) { writer.write(u, v); });
}

void make_plain(const Task& task, Plain kind) {
    const Arguments& arguments = task.arguments;
    std::uint64_t vertices = 0;
    VertexId width = 0, degree = 0;
    if (kind == Plain::grid) {
        width = arguments.vertices("width");
        vertices = std::uint64_t{width} * arguments.vertices("height");
    } else {
        vertices = arguments.vertices("vertices");
    }
    if (vertices < 2 || vertices > most_vertices)
        throw UsageError(fmt::format("{} vertices: expected 2 to {}", vertices, most_vertices));
    const auto n = static_cast<VertexId>(vertices);
    if (kind == Plain::regular) degree = arguments.vertices("degree");
    if (degree >= n)
        throw UsageError(fmt::format("--degree takes 1 to {} for {} vertices, not {}", n - 1, n, degree));
    EdgeWriter& writer = task.open(n, n, plain_edges(kind, n, degree));
    plain(kind, n, width, degree, [&](VertexId u, VertexId v) { writer.write(u, v); });
}

std::string kind_of(const cli::Values& values) {
    const std::string kind = values.count("kind") ? values["kind"].as<std::string>() : "(none)";
    const auto found = kinds.find(kind);
    if (found == kinds.end())
        throw UsageError(
            fmt::format("KIND is {}: expected ratings, uniform, road, rmat, or one of star, chain, "
                        "ring, regular, grid, tree, complete",
                        kind));
    for (const auto& [name, options] : kinds) {
        for (const std::string& option : options) {
            if (values.count(option) && !found->second.contains(option)) {
                throw UsageError(fmt::format("--{} is no option of {}", option, kind));
            }
        }
    }
    return kind;
}

/// What was made, for --json and the closing note.
nlohmann::ordered_json description(const EdgeWriter& writer, bool square) {
    const auto& rows = writer.row_degrees();
    const auto& cols = writer.col_degrees();
    nlohmann::ordered_json made{{"rows", rows.size()},
                                {"cols", cols.size()},
                                {"edges", writer.edges()},
                                {"max_row_degree", *std::max_element(rows.begin(), rows.end())},
                                {"max_col_degree", *std::max_element(cols.begin(), cols.end())}};
    if (square) {  // a vertex with both its sides
        EdgeId most = 0, isolated = 0;
        for (std::size_t v = 0; v < rows.size(); ++v) {
            most = std::max(most, rows[v] + cols[v]);
            isolated += rows[v] + cols[v] == 0;
        }
        made["max_degree"] = most;
        made["isolated"] = isolated;
    } else {
        made["empty_rows"] = std::count(rows.begin(), rows.end(), 0);
        made["empty_cols"] = std::count(cols.begin(), cols.end(), 0);
    }
    return made;
}

int body(const cli::Values& values, const cli::Common& common) {
    const cli::Stopwatch watch;
    const std::string kind = kind_of(values);
    const Arguments arguments(values);
    const std::string path = arguments.text("output");
    if (path == "-" && common.json) throw UsageError("--json and -o - would both write to standard output");
    const std::string format = arguments.has("output-format") ? arguments.text("output-format")
                               : path.ends_with(".bin")       ? "cumf-binary"
                                                              : "text";
    cli::check_outputs(values, {}, {{"-o", path, cli::text_output}});
    const auto plain_kind = plain_kinds.find(kind);
    const bool plain = plain_kind != plain_kinds.end();
    const EdgeFormat edge_format{format == "cumf-binary", kind != "rmat" && !plain,
                                 arguments.value("decimals", 3)};

    std::optional<EdgeWriter> writer;
    const Task task{arguments, arguments.value("seed", std::uint64_t{1}),
                    [&](VertexId rows, VertexId cols, EdgeId edges) -> EdgeWriter& {
                        return writer.emplace(path, edge_format, rows, cols, edges, common);
                    },
                    common};
    if (plain)
        make_plain(task, plain_kind->second);
    else if (kind == "road")
        make_road(task);
    else if (kind == "rmat")
        make_rmat(task);
    else
        make_bipartite(task, kind == "ratings");
    writer->commit();

    if (common.json) {
        nlohmann::ordered_json made{
            {"kind", kind}, {"output", path}, {"format", format}, {"seed", task.seed}};
        made.update(description(*writer, plain || kind == "road" || kind == "rmat"));
        made["seconds"] = watch.seconds();
        made["peak_bytes"] = cli::peak_memory();
        cli::print_json(made);
    } else {
        cli::note(common, fmt::format("{}: {} edges in {}", path, cli::grouped(writer->edges()),
                                      cli::duration(watch.seconds())));
    }
    return 0;
}

}  // namespace
}  // namespace lockstep::generate

int main(int argc, char** argv) {
    using namespace lockstep;
    const cli::Program program{
        "lockstep-generate", "lockstep-generate KIND [options] -o FILE",
        "Makes input of a known shape, the same for the same seed on every machine. KIND is\n"
        "  ratings   users x items with planted low-rank ratings, power-law degrees, a given largest item\n"
        "  uniform   users x items with planted low-rank ratings, pairs uniformly random\n"
        "  road      connected road-like grid with lengths, mean degree about 2.5, at most 8\n"
        "  rmat      directed R-MAT graph without weights\n"
        "  star, chain, ring, tree, complete, grid, regular   graphs of known degrees, without weights",
        "  lockstep-generate ratings --users 1000 --items 400 --edges 20000 --max-degree 600 -o r.txt\n"
        "  lockstep-generate road --vertices 1000000 -o road.txt\n"
        "  lockstep-generate rmat --scale 16 --edge-factor 16 -o rmat.txt\n"};
    namespace po = boost::program_options;
    const auto text = [] { return po::value<std::string>(); };
    const auto vertices = [] { return cli::number<VertexId>(1, generate::most_vertices); };
    const auto real = [](double low, double high) { return cli::number<double>(low, high); };
    constexpr double large = 1e6;
    std::vector<std::string> kinds;
    for (const auto& [kind, ignored] : generate::kinds) kinds.push_back(kind);
    // clang-format off
    cli::Options options("Options");
    options.add_options()
        ("kind", cli::word(kinds)->value_name("KIND"), "ratings, uniform, road, rmat, star, …; also as first argument")
        ("output,o", text()->value_name("FILE"), "output file, - for standard output")
        ("output-format", cli::word({"text", "cumf-binary"}),
         "text (row col value lines, ids from 0) or cumf-binary (i32 i32 f32 triples); "
         "default: binary for *.bin, else text")
        ("seed", cli::number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max()), "seed of all random numbers (1)")
        ("decimals", cli::number<int>(0, 9), "decimals of values in text, 0 to 9 (3)");
    cli::Options ratings("Ratings and uniform");
    ratings.add_options()
        ("users", vertices(), "number of users")
        ("items", vertices(), "number of items")
        ("edges", cli::number<EdgeId>(1, EdgeId{1} << 40), "number of ratings; no pair comes twice")
        ("max-degree", vertices(), "ratings of the most rated item, exactly (ratings only)")
        ("noise", real(0, large), "standard deviation of the noise (0.5)")
        ("rank", cli::number<std::uint32_t>(1, 1024), "number of hidden factors (8)")
        ("mean", real(-large, large), "mean rating (middle of the scale, or 3)")
        ("deviation", real(0, large), "standard deviation of the planted part (1)")
        ("scale", text()->value_name("LOW..HIGH"),
         "clip ratings to a range such as 1..5 (none); of rmat: log2 of the vertices");
    cli::Options graphs("Road, R-MAT and graphs of known degrees");
    graphs.add_options()
        ("width", vertices(), "road, grid: vertices in a row")
        ("height", vertices(), "road, grid: rows")
        ("vertices", vertices(), "star, chain, ring, regular, tree, complete: vertices; road: of a square grid, instead of width and height")
        ("degree", vertices(), "regular: edges out of, and into, every vertex")
        ("drop", real(0, 1), "road: share of the grid edges missing, but for a spanning tree (0.8)")
        ("edge-factor", cli::number<EdgeId>(1, 1 << 16), "rmat: edges per vertex (16)")
        ("a", real(0, 1), "rmat: probability of the upper left quadrant (0.57)")
        ("b", real(0, 1), "rmat: of the upper right one (0.19)")
        ("c", real(0, 1), "rmat: of the lower left one (0.19)")
        ("no-duplicates", "rmat: drop repeated edges, so that fewer come");
    // clang-format on
    cli::add_force_option(options);
    options.add(ratings).add(graphs);
    return cli::run(argc, argv, program, options, {"kind"}, generate::body);
}
