#include "options.hpp"

#include "kinds.hpp"
#include "mesh.hpp"
#include "outputs.hpp"

namespace lockstep::generate {

void GenerateOptions::list(Fields& fields) {
    constexpr double large = 1e6;
    std::vector<std::pair<const char*, const Kind*>> names;
    for (const Kind& one : kinds()) names.emplace_back(one.name, &one);
    fields
        .word("kind", kind, names,
              "kind of input: ratings, uniform, road, rmat, random, torus, …; may also be the first argument")
        .with_unit("KIND");
    fields.text("output", output, "FILE", "output file, - for standard output").with_letter('o');
    fields.number("seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
                  "seed of all random numbers (=1)");
    fields.begin_section("Ratings and uniform");
    fields.number("users", users, 1, max_generated_vertices, "number of users");
    fields.number("items", items, 1, max_generated_vertices, "number of items");
    fields.number("edges", edges, 1, EdgeId{1} << 40,
                  "number of edges; in ratings and uniform no pair of user and item occurs twice");
    fields.number("max-degree", max_degree, 1, max_generated_vertices,
                  "ratings: exact number of ratings of the most rated item");
    fields.number("noise", noise, 0, large,
                  "ratings, uniform: standard deviation of the noise (=0.5), cloth: maximum displacement of "
                  "a particle along each axis (=0)");
    fields.number("rank", rank, 1, 1024, "number of hidden factors (=8)");
    fields.number("mean", mean, -large, large, "mean rating (default: the middle of --scale, else 3)");
    fields.number("deviation", deviation, 0, large, "standard deviation of the planted low-rank part (=1)");
    fields.text("scale", scale, "LOW..HIGH",
                "ratings, uniform: range to which ratings are clipped, such as 1..5 (default: none), rmat, "
                "kronecker: log2 of the number of vertices");
    fields.begin_section("Graphs");
    fields.number("width", width, 1, max_generated_vertices, "road, grid, cloth: number of vertices per row");
    fields.number("height", height, 1, max_generated_vertices, "road, grid, cloth: number of rows");
    fields.number("vertices", vertices, 1, max_generated_vertices,
                  "number of vertices; road: size of a roughly square grid, instead of --width and --height");
    fields.text("sides", sides, "N,N…", "torus: number of vertices in each dimension");
    fields.number("degree", degree, 1, max_generated_vertices,
                  "regular: out-degree and in-degree of every vertex");
    fields.number("drop", drop, 0, 1,
                  "road: share of the grid edges outside a spanning tree that are missing (=0.8)");
    fields.number("edge-factor", edge_factor, 1, 1 << 16,
                  "rmat, kronecker: number of edges per vertex (=16)");
    fields.number("a", a, 0, 1, "rmat: probability of the upper left quadrant (=0.57)");
    fields.number("b", b, 0, 1, "rmat: probability of the upper right quadrant (=0.19)");
    fields.number("c", c, 0, 1, "rmat: probability of the lower left quadrant (=0.19)");
    fields.flag("no-duplicates", no_duplicates,
                "rmat, kronecker, random: drop repeated edges, so that fewer edges are written");
    fields.flag("no-self-loops", no_self_loops,
                "rmat, kronecker, random: drop edges from a vertex to itself");
    fields.flag("both-arcs", both_arcs,
                "write v u after each u v, so that an undirected graph is stored as arcs in both directions");
    fields.text("weights", weights, "LOW..HIGH",
                "uniformly random integer weights, such as 1..255, equal for both arcs of an edge");
    fields.begin_section("Meshes");
    fields.number("points", points, 4, max_points,
                  "mesh: number of points, including the four corners of the square");
    fields.begin_section("More options");
    fields.word("output-format", output_format, std::vector<std::string>{"text", "cumf-binary"},
                "text (lines of row, column and value, IDs from 0) or cumf-binary (triples of int32, int32 "
                "and float32); default: cumf-binary for *.bin, else text");
    fields.number("decimals", decimals, 0, 9,
                  "number of decimals of values in text files, 0 to 9 (default: 3; cloth: 6)");
    cli::list_force(fields, force);
}

std::optional<std::pair<double, double>> range(const std::optional<std::string>& text, const char* option) {
    if (!text || text == "none") return std::nullopt;
    constexpr double large = 1e9;
    if (const std::size_t dots = text->find(".."); dots != text->npos) {
        const auto low = cli::parse_number<double>(text->substr(0, dots), -large, large),
                   high = cli::parse_number<double>(text->substr(dots + 2), -large, large);
        if (low && high && *low < *high) return std::pair(*low, *high);
    }
    throw cli::UsageError(fmt::format("--{} requires none or a range such as 1..5, not {}", option, *text));
}

}  // namespace lockstep::generate
