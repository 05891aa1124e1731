#include "build_options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "field_options.hpp"

namespace lockstep {

namespace {

/// Parses "512x64" into the numbers of rows R and columns C of a block.
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

/// Parses "auto" or a number.
VertexId number_or_auto(const char* option, const std::string& text, VertexId automatic) {
    if (text == "auto") return automatic;
    VertexId value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value <= max_vertices) return value;
    throw cli::UsageError(fmt::format("--{} takes auto, or 0 to {}, not {}", option, max_vertices, text));
}

/// The builder options as the user entered them, before their conversion to BuildOptions.
struct Given {
    BuildOptions build;
    std::optional<VertexId> workers;
    VertexId on_chip_kilobytes = static_cast<VertexId>(build.on_chip_bytes >> 10);
    std::string item_blocks = "auto";
    std::optional<std::string> block, probe;

    void list(Fields& fields);
};

void Given::list(Fields& fields) {
    fields.number(
        "workers", workers, 1, max_vertices,
        "AGM-N, SGM, EL+SGM: items of one block (T) (default: 128 a multiprocessor, the workers of a GPU at "
        "rank 16)");
    fields.word("matching", build.matching,
                {{"first-fit", Matching::first_fit},
                 {"euler", Matching::euler},
                 {"exact", Matching::exact},
                 {"auto", Matching::automatic}},
                "AGM-E, AGM-N: first-fit (maximal), euler (few, of equal size), exact (the fewest possible, "
                "or for one "
                "set of vertices within the bounds of Vizing and Shannon), or auto");
    fields.text("block", block, "RxC",
                "BlkDiag: rows x columns of a block, e.g. 512x64 (default: chosen from the graph)");
    fields.number("parts", build.parts, 1, max_vertices, "METIS: parts");
    fields.number("hub-items", build.hub_items, 0, max_vertices,
                  "EL+SGM: items to run under locks; 0 = chosen from the degrees");
    fields.text(
        "item-blocks", item_blocks, "P",
        "tiled: blocks of what stays on chip, of a group (P); 0 = one a multiprocessor; auto = by predicted "
        "time; blocked: blocks of items");
    fields.word("resident", build.resident,
                {{"items", Resident::items}, {"users", Resident::users}, {"auto", Resident::automatic}},
                "tiled: who stays on chip; auto = by predicted time, items where --item-blocks, "
                "--user-blocks, --groups "
                "or --gpus is given");
    fields.number("star-edges", build.star_edges, 0, max_vertices,
                  "stars: edges of a star at most, of hubs too (S, H); 0 = by predicted time");
    fields.number("user-blocks", build.user_blocks, 0, max_vertices,
                  "tiled: blocks of users of a group (R), even and at least 2 P; 0 = as few as fit on chip");
    fields.number("groups", build.groups, 0, max_vertices,
                  "tiled: groups of users (G), and shares of the items, which run one after another or on "
                  "several GPUs; "
                  "0 = one a GPU");
    fields.number("gpus", build.gpus, 1, 64,
                  "tiled: GPUs that shall share the groups; there are at least as many, and a multiple");
    fields.number("rank", build.rank, 1, 256, "tiled, local: largest rank that shall fit on chip");
    fields.word("storage", build.half_precision, {{"fp32", false}, {"fp16", true}},
                "tiled, local: of the factors, fp32 or fp16");
    fields.number("multiprocessors", build.multiprocessors, 1, 65536, "tiled, and T: of the device");
    fields.text("probe", probe, "FILE",
                "tiled, stars, T: sizes by the figures of that device (lockstep-probe -o FILE, or h200); "
                "default: of an "
                "H200, so that a schedule is a function of its input");
    fields.number("on-chip", on_chip_kilobytes, 1, 1 << 20,
                  "tiled, local: shared memory of a multiprocessor, in KB");
    fields.number("region-vertices", build.region_vertices, 0, 1 << 14,
                  "regions: vertices of a region at most, or 64; 0 = 2,048, with weights 1,024");
    fields.number("hub-weight", build.hub_weight, 0, 1e9,
                  "tiled: how often the most rated item of a block counts");
}

}  // namespace

void add_build_options(cli::Options& options) {
    Given given;
    Fields fields;
    given.list(fields);
    cli::add_fields(options, fields);
}

BuildOptions build_options(const cli::Values& values) {
    Given given;
    BuildOptions& build = given.build;
    const VertexId workers = build.workers / build.multiprocessors;  // workers of one multiprocessor
    Fields fields;
    given.list(fields);
    cli::take_fields(values, fields);
    build.seed = values["seed"].as<std::uint64_t>();
    build.item_blocks = number_or_auto("item-blocks", given.item_blocks, BuildOptions::by_cost);
    build.workers = given.workers.value_or(workers * build.multiprocessors);
    build.on_chip_bytes = EdgeId{given.on_chip_kilobytes} << 10;
    if (given.block) parse_block(*given.block, build);
    return build;
}

}  // namespace lockstep
