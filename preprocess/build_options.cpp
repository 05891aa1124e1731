#include "build_options.hpp"

#include <fmt/format.h>

#include <charconv>

namespace lockstep {

namespace {

/// "512x64": R rows and C columns of a block.
void parse_block(const std::string& text, BuildOptions& build) {
    const auto at = text.find('x');
    const auto side = [&](std::string_view digits) {
        VertexId value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size() && value <= max_vertices ? value
                                                                                                     : 0;
    };
    build.block_rows = at == text.npos ? 0 : side(std::string_view(text).substr(0, at));
    build.block_cols = at == text.npos ? 0 : side(std::string_view(text).substr(at + 1));
    if (build.block_rows == 0 || build.block_cols == 0)
        throw cli::UsageError(
            fmt::format("--block takes ROWSxCOLUMNS, each 1 to {}, e.g. 512x64, not {}", max_vertices, text));
}

/// "auto", or a number.
VertexId number_or_auto(const char* option, const std::string& text, VertexId automatic) {
    if (text == "auto") return automatic;
    VertexId value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value <= max_vertices) return value;
    throw cli::UsageError(fmt::format("--{} takes auto, or 0 to {}, not {}", option, max_vertices, text));
}

}  // namespace

void add_build_options(cli::Options& options) {
    namespace po = boost::program_options;
    const auto vertices = [](VertexId least) { return cli::number<VertexId>(least, max_vertices); };
    const BuildOptions defaults;
    // clang-format off
    options.add_options()
        ("workers", vertices(1), "AGM-N, SGM, EL+SGM: items of one block (T) (default: 128 a multiprocessor, the workers of a GPU at rank 16)")
        ("matching", cli::word({"first-fit", "euler", "exact", "auto"})->default_value(std::string(to_string(defaults.matching))),
         "AGM-E, AGM-N: first-fit (maximal), euler (few, of equal size), exact (the fewest possible, or for one set of vertices within the bounds of Vizing and Shannon), or auto")
        ("block", po::value<std::string>()->value_name("RxC"), "BlkDiag: rows x columns of a block, e.g. 512x64 (default: chosen from the graph)")
        ("parts", vertices(1)->default_value(defaults.parts), "METIS: parts")
        ("hub-items", vertices(0)->default_value(0), "EL+SGM: items to run under locks; 0 = chosen from the degrees")
        ("item-blocks", po::value<std::string>()->value_name("P")->default_value("auto"), "tiled: blocks of what stays on chip, of a group (P); 0 = one a multiprocessor; auto = by predicted time; blocked: blocks of items")
        ("resident", cli::word({"items", "users", "auto"})->default_value("auto"), "tiled: who stays on chip; auto = by predicted time, items where --item-blocks, --user-blocks, --groups or --gpus is given")
        ("star-edges", cli::number<EdgeId>(0, max_vertices)->default_value(0), "stars: edges of a star at most, of hubs too (S, H); 0 = by predicted time")
        ("user-blocks", vertices(0)->default_value(0), "tiled: blocks of users of a group (R), even and at least 2 P; 0 = as few as fit on chip")
        ("groups", vertices(0)->default_value(0), "tiled: groups of users (G), and shares of the items, which run one after another or on several GPUs; 0 = one a GPU")
        ("gpus", cli::number<VertexId>(1, 64)->default_value(1), "tiled: GPUs that shall share the groups; there are at least as many, and a multiple")
        ("rank", cli::number<VertexId>(1, 256)->default_value(defaults.rank), "tiled, local: largest rank that shall fit on chip")
        ("storage", cli::word({"fp32", "fp16"})->default_value("fp32"), "tiled, local: of the factors, fp32 or fp16")
        ("multiprocessors", cli::number<VertexId>(1, 65536)->default_value(defaults.multiprocessors), "tiled, and T: of the device")
        ("probe", po::value<std::string>()->value_name("FILE"), "tiled, stars, T: sizes by the figures of that device (lockstep-probe -o FILE, or h200); default: of an H200, so that a schedule is a function of its input")
        ("on-chip", cli::number<VertexId>(1, 1 << 20)->default_value(static_cast<VertexId>(defaults.on_chip_bytes >> 10)), "tiled, local: shared memory of a multiprocessor, in KB")
        ("region-vertices", cli::number<VertexId>(0, 1 << 14)->default_value(0), "regions: vertices of a region at most, or 64; 0 = 2,048, with weights 1,024")
        ("hub-weight", cli::number<double>(0, 1e9)->default_value(defaults.hub_weight), "tiled: how often the most rated item of a block counts");
    // clang-format on
}

BuildOptions build_options(const cli::Values& values) {
    BuildOptions build;
    build.matching = matching_of(values["matching"].as<std::string>());
    build.parts = values["parts"].as<VertexId>();
    build.hub_items = values["hub-items"].as<VertexId>();
    build.seed = values["seed"].as<std::uint64_t>();
    const auto take_number = [&](const char* option, VertexId automatic) {
        return number_or_auto(option, values[option].as<std::string>(), automatic);
    };
    build.item_blocks = take_number("item-blocks", BuildOptions::by_cost);
    build.user_blocks = values["user-blocks"].as<VertexId>();
    build.resident = resident_of(values["resident"].as<std::string>());
    build.star_edges = values["star-edges"].as<EdgeId>();
    build.groups = values["groups"].as<VertexId>();
    build.gpus = values["gpus"].as<VertexId>();
    build.rank = values["rank"].as<VertexId>();
    build.half_precision = values["storage"].as<std::string>() == "fp16";
    const VertexId workers = build.workers / build.multiprocessors;  // of one
    build.multiprocessors = values["multiprocessors"].as<VertexId>();
    build.workers =
        values.count("workers") ? values["workers"].as<VertexId>() : workers * build.multiprocessors;
    build.on_chip_bytes = EdgeId{values["on-chip"].as<VertexId>()} << 10;
    build.region_vertices = values["region-vertices"].as<VertexId>();
    build.hub_weight = values["hub-weight"].as<double>();
    if (values.count("block")) parse_block(values["block"].as<std::string>(), build);
    return build;
}

}  // namespace lockstep
