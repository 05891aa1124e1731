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
            fmt::format("--weights requires whole numbers from {} to {}, such as 1..255", -largest, largest));
    return {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high), seed};
}

int make_mesh(const GenerateOptions& options, const cli::Common& common) {
    const cli::Stopwatch watch;
    const std::string& path = required(options.output, "output");
    if (!names_mesh(path))
        throw UsageError(fmt::format(
            "a mesh consists of two files: give -o NAME.ele, not {}; NAME.node is written to the same folder",
            path));
    if (options.output_format || options.decimals)
        throw UsageError("--output-format and --decimals do not apply to mesh");
    const auto [node, ele] = mesh_paths(path);
    cli::check_outputs({}, {{"-o", node.string(), cli::text_output}, {"-o", ele.string(), cli::text_output}},
                       options.force);
    const std::uint64_t points = required(options.points, "points"), seed = options.seed.value_or(1);
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
        cli::note(common,
                  fmt::format("{} and {}: {} triangles in {}", node.string(), ele.string(),
                              cli::group_digits(mesh.corners.size() / 3), cli::duration(watch.seconds())));
    }
    return 0;
}

int body(const GenerateOptions& options, const Fields& given, const cli::Common& common) {
    const cli::Stopwatch watch;
    const Kind& kind = kind_of(options, given);
    if (!kind.make) return make_mesh(options, common);
    const std::string& path = required(options.output, "output");
    if (path == "-" && common.json) throw UsageError("--json and -o - would both write to standard output");
    const std::string format =
        options.output_format.value_or(path.ends_with(".bin") ? "cumf-binary" : "text");
    std::vector<cli::Output> outputs{{"-o", path, cli::text_output}};
    const bool is_cloth = kind.name == std::string_view("cloth");
    if (is_cloth) outputs.push_back({"-o", cloth_positions_path(path).string(), cli::text_output});
    cli::check_outputs({}, outputs, options.force);
    const std::uint64_t seed = options.seed.value_or(1);
    EdgeFormat edge_format{format == "cumf-binary", kind.weighted,
                           options.decimals.value_or(is_cloth ? 6 : 3), options.both_arcs};
    if (const auto weights = range(options.weights, "weights")) {
        edge_format.weights = whole_weights(*weights, seed);
        edge_format.weighted = true;
        edge_format.decimals = 0;
    }

    std::optional<EdgeWriter> writer;
    const Task task{options, seed,
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
        cli::note(common, fmt::format("{}: {} edges in {}", path, cli::group_digits(writer->edges()),
                                      cli::duration(watch.seconds())));
    }
    return 0;
}

/// Restricts the general help to the options of the given kind.
void describe_kind(const GenerateOptions& options, const Fields& given, cli::Program& program) {
    if (!options.kind) return;
    const Kind& kind = kind_of(options, given);
    program.usage = fmt::format("lockstep-generate {} [options] -o FILE", kind.name);
    program.summary =
        fmt::format("Generates input of kind {}, identical for the same seed on every machine.", kind.name);
    program.basic = {"output", "seed"};
    program.basic.insert(program.basic.end(), kind.options.begin(), kind.options.end());
    if (kind.square) program.basic.insert(program.basic.end(), {"both-arcs", "weights"});
}

}  // namespace
}  // namespace lockstep::generate

int lockstep::cli::run_program(int argc, char** argv) {
    const Program program{
        "lockstep-generate", "lockstep-generate KIND [options] -o FILE",
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
        "  lockstep-generate torus --sides 64,64,64 --both-arcs --weights 1..255 -o torus.txt\n"};
    return run(argc, argv, program, {"kind"}, generate::body, generate::describe_kind);
}
