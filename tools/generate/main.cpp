// lockstep-generate: seeded input of a known shape, written as an edge list.
#include <algorithm>
#include <cmath>

#include "kinds.hpp"
#include "mesh.hpp"
#include "outputs.hpp"

namespace lockstep::generate {
namespace {
using cli::UsageError;

/// Returns a description of the graph, for --json and the closing note.
nlohmann::ordered_json description(const EdgeWriter& writer, bool square) {
    const auto& rows = writer.row_degrees();
    const auto& cols = writer.col_degrees();
    nlohmann::ordered_json made{{"rows", rows.size()},
                                {"cols", cols.size()},
                                {"edges", writer.edges()},
                                {"max_row_degree", *std::max_element(rows.begin(), rows.end())},
                                {"max_col_degree", *std::max_element(cols.begin(), cols.end())}};
    // A vertex counts both its row and its column; if both arcs are written, its row has all its edges.
    if (square) {
        EdgeId most = 0, isolated = 0;
        for (std::size_t v = 0; v < rows.size(); ++v) {
            most = std::max(most, writer.both_arcs() ? rows[v] : rows[v] + cols[v]);
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

EdgeWeights whole_weights(std::pair<double, double> range, std::uint64_t seed) {
    const auto [low, high] = range;
    // Largest magnitude below which single precision holds all integers exactly.
    constexpr double largest = 1 << 24;
    if (low != std::floor(low) || high != std::floor(high) || low < -largest || high > largest)
        throw UsageError(
            fmt::format("--weights takes whole numbers from {} to {}, such as 1..255", -largest, largest));
    return {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high), seed};
}

int make_mesh(const cli::Values& values, const Arguments& arguments, const cli::Common& common) {
    const cli::Stopwatch watch;
    const std::string path = arguments.text("output");
    if (!names_mesh(path))
        throw UsageError(fmt::format(
            "a mesh is two files: give -o NAME.ele, not {}; NAME.node is written beside it", path));
    if (arguments.has("output-format") || arguments.has("decimals"))
        throw UsageError("--output-format and --decimals are no options of mesh");
    const auto [node, ele] = mesh_paths(path);
    cli::check_outputs(values, {},
                       {{"-o", node.string(), cli::text_output}, {"-o", ele.string(), cli::text_output}});
    const auto points = arguments.value<std::uint64_t>("points");
    const auto seed = arguments.value("seed", std::uint64_t{1});
    const MeshFile mesh = random_mesh(points, seed);
    write_mesh(path, mesh, fmt::format("lockstep-generate mesh --points {} --seed {}", points, seed));
    if (common.json) {
        cli::print_json({{"kind", "mesh"},
                         {"output", ele.string()},
                         {"seed", seed},
                         {"points", mesh.x.size()},
                         {"triangles", mesh.corners.size() / 3},
                         {"seconds", watch.seconds()},
                         {"peak_bytes", cli::peak_memory()}});
    } else {
        cli::note(common, fmt::format("{} and {}: {} triangles in {}", node.string(), ele.string(),
                                      cli::grouped(mesh.corners.size() / 3), cli::duration(watch.seconds())));
    }
    return 0;
}

int body(const cli::Values& values, const cli::Common& common) {
    const cli::Stopwatch watch;
    const Kind& kind = kind_of(values);
    const Arguments arguments(values);
    if (!kind.make) return make_mesh(values, arguments, common);
    const std::string path = arguments.text("output");
    if (path == "-" && common.json) throw UsageError("--json and -o - would both write to standard output");
    const std::string format = arguments.has("output-format") ? arguments.text("output-format")
                               : path.ends_with(".bin")       ? "cumf-binary"
                                                              : "text";
    std::vector<cli::Output> outputs{{"-o", path, cli::text_output}};
    const bool is_cloth = kind.name == std::string_view("cloth");
    if (is_cloth) outputs.push_back({"-o", cloth_positions_path(path).string(), cli::text_output});
    cli::check_outputs(values, {}, outputs);
    const auto seed = arguments.value("seed", std::uint64_t{1});
    EdgeFormat edge_format{format == "cumf-binary", kind.weighted,
                           arguments.value("decimals", is_cloth ? 6 : 3), arguments.has("both-arcs")};
    if (const auto range = arguments.range("weights")) {
        edge_format.weights = whole_weights(*range, seed);
        edge_format.weighted = true;
        edge_format.decimals = 0;
    }

    std::optional<EdgeWriter> writer;
    const Task task{arguments, seed,
                    [&](VertexId rows, VertexId cols, EdgeId edges) -> EdgeWriter& {
                        return writer.emplace(path, edge_format, rows, cols, edges, common);
                    },
                    common};
    kind.make(task);
    writer->commit();

    if (common.json) {
        nlohmann::ordered_json made{
            {"kind", kind.name}, {"output", path}, {"format", format}, {"seed", task.seed}};
        made.update(description(*writer, kind.square));
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

int main(int argc, char** argv) try {
    using namespace lockstep;
    namespace po = boost::program_options;
    const auto text = [] { return po::value<std::string>(); };
    const auto vertices = [] { return cli::number<VertexId>(1, generate::most_vertices); };
    const auto real = [](double low, double high) { return cli::number<double>(low, high); };
    constexpr double large = 1e6;
    std::vector<std::string> kinds;
    for (const generate::Kind& kind : generate::kinds()) kinds.push_back(kind.name);
    // clang-format off
    cli::Options options, ratings, graphs, meshes, more;
    options.add_options()
        ("kind", cli::word(kinds)->value_name("KIND"), "kind of input: ratings, uniform, road, rmat, random, torus, …; may also be the first argument")
        ("output,o", text()->value_name("FILE"), "output file, - for standard output")
        ("seed", cli::number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max()), "seed of all random numbers (=1)");
    more.add_options()
        ("output-format", cli::word({"text", "cumf-binary"}),
         "text (lines of row, column and value, IDs from 0) or cumf-binary (triples of int32, int32 and float32); "
         "default: cumf-binary for *.bin, else text")
        ("decimals", cli::number<int>(0, 9), "number of decimals of values in text files, 0 to 9 (default: 3; cloth: 6)");
    ratings.add_options()
        ("users", vertices(), "number of users")
        ("items", vertices(), "number of items")
        ("edges", cli::number<EdgeId>(1, EdgeId{1} << 40), "number of edges; in ratings and uniform no pair of user and item occurs twice")
        ("max-degree", vertices(), "ratings: exact number of ratings of the most rated item")
        ("noise", real(0, large), "ratings, uniform: standard deviation of the noise (=0.5), cloth: maximum displacement of a particle along each axis (=0)")
        ("rank", cli::number<std::uint32_t>(1, 1024), "number of hidden factors (=8)")
        ("mean", real(-large, large), "mean rating (default: the middle of --scale, else 3)")
        ("deviation", real(0, large), "standard deviation of the planted low-rank part (=1)")
        ("scale", text()->value_name("LOW..HIGH"),
         "ratings, uniform: range to which ratings are clipped, such as 1..5 (default: none), rmat, kronecker: log2 of the number of vertices");
    graphs.add_options()
        ("width", vertices(), "road, grid, cloth: number of vertices per row")
        ("height", vertices(), "road, grid, cloth: number of rows")
        ("vertices", vertices(), "number of vertices; road: size of a roughly square grid, instead of --width and --height")
        ("sides", text()->value_name("N,N…"), "torus: number of vertices in each dimension")
        ("degree", vertices(), "regular: out-degree and in-degree of every vertex")
        ("drop", real(0, 1), "road: share of the grid edges outside a spanning tree that are missing (=0.8)")
        ("edge-factor", cli::number<EdgeId>(1, 1 << 16), "rmat, kronecker: number of edges per vertex (=16)")
        ("a", real(0, 1), "rmat: probability of the upper left quadrant (=0.57)")
        ("b", real(0, 1), "rmat: probability of the upper right quadrant (=0.19)")
        ("c", real(0, 1), "rmat: probability of the lower left quadrant (=0.19)")
        ("no-duplicates", "rmat, kronecker, random: drop repeated edges, so that fewer edges are written")
        ("no-self-loops", "rmat, kronecker, random: drop edges from a vertex to itself")
        ("both-arcs", "write v u after each u v, so that an undirected graph is stored as arcs in both directions")
        ("weights", text()->value_name("LOW..HIGH"), "uniformly random integer weights, such as 1..255, equal for both arcs of an edge");
    meshes.add_options()
        ("points", cli::number<std::uint64_t>(4, generate::most_points), "mesh: number of points, including the four corners of the square");
    // clang-format on
    cli::add_force_option(more);
    cli::Program program{
        "lockstep-generate",
        "lockstep-generate KIND [options] -o FILE",
        "Generates input of a known shape. The same seed gives the same output on every machine. KIND is\n"
        "  ratings   users x items with planted low-rank ratings, power-law degrees and a given maximum item "
        "degree\n"
        "  uniform   users x items with planted low-rank ratings, uniformly random pairs\n"
        "  road      connected road-like grid with edge lengths, mean degree about 2.5, maximum degree at "
        "most 8\n"
        "  rmat      R-MAT graph; kronecker is the same with the parameters of Graph500\n"
        "  random    given numbers of vertices and edges, uniformly random endpoints\n"
        "  torus, grid, star, chain, ring, tree, complete, regular   with known degrees\n"
        "  cloth     springs of a cloth, and particle positions in a second file (.npy)\n"
        "  mesh      Delaunay triangulation of random points in the unit square: NAME.node and NAME.ele\n"
        "Only ratings, uniform, road and cloth have weights by default; --weights adds weights to other "
        "graphs. lockstep-generate KIND --help shows the options of one kind.",
        "  lockstep-generate ratings --users 1000 --items 400 --edges 20000 --max-degree 600 -o r.txt\n"
        "  lockstep-generate road --vertices 1000000 -o road.txt\n"
        "  lockstep-generate rmat --scale 16 --edge-factor 16 -o rmat.txt\n"
        "  lockstep-generate torus --sides 64,64,64 --both-arcs --weights 1..255 -o torus.txt\n",
        {{"Options", options},
         {"Ratings and uniform", ratings},
         {"Graphs", graphs},
         {"Meshes", meshes},
         {"More options", more}}};
    // Extends the general help by the options of the given kind.
    const auto about = [&](const cli::Values& values) {
        if (!values.count("kind")) return program;
        const generate::Kind& kind = generate::kind_of(values);
        program.usage = fmt::format("lockstep-generate {} [options] -o FILE", kind.name);
        program.summary = fmt::format(
            "Generates input of kind {}, identical for the same seed on every machine.", kind.name);
        program.basic = {"output", "seed"};
        program.basic.insert(program.basic.end(), kind.options.begin(), kind.options.end());
        if (kind.square) program.basic.insert(program.basic.end(), {"both-arcs", "weights"});
        return program;
    };
    return cli::run(argc, argv, program, {"kind"}, generate::body, about);
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
