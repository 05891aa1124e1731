#include "build_options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace {

/// Parses a block size such as "512x64" (rows x columns) into `build`.
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
        throw UsageError(fmt::format("--block requires ROWSxCOLUMNS, each 1 to {}, e.g. 512x64, not {}",
                                     max_vertices, text));
}

/// Returns the number in `text`, or `automatic` if the text is "auto". Throws UsageError for other text.
VertexId number_or_auto(const char* option, const std::string& text, VertexId automatic) {
    if (text == "auto") return automatic;
    VertexId value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value <= max_vertices) return value;
    throw UsageError(fmt::format("--{} requires auto, or 0 to {}, not {}", option, max_vertices, text));
}

}  // namespace

void BuilderOptions::list(Fields& fields) {
    fields.number("workers", workers, 1, max_vertices,
                  "agm-n, sgm, el-sgm: number of items per block (T) (default: 128 per multiprocessor, the "
                  "number of workers of a GPU at rank 16)");
    fields.word("matching", build_.matching,
                {{"first-fit", Matching::first_fit},
                 {"euler", Matching::euler},
                 {"exact", Matching::exact},
                 {"auto", Matching::automatic}},
                "agm-e, agm-n: algorithm that finds the matchings; first-fit (maximal matchings), euler "
                "(few, of equal size), exact (the minimum number, or for one set of vertices within the "
                "bounds of Vizing and Shannon), or auto (first-fit or euler)");
    fields.text("block", block_, "RxC",
                "blkdiag: rows x columns of a block, e.g. 512x64 (default: chosen from the graph)");
    fields.number("parts", build_.parts, 1, max_vertices, "metis: number of parts");
    fields.number("hub-items", build_.hub_items, 0, max_vertices,
                  "el-sgm: number of items that run under locks; 0 = chosen from the degrees");
    fields.text("item-blocks", item_blocks_, "P",
                "tiled: number of blocks per group on the side that stays in shared memory (P); 0 = one per "
                "multiprocessor; auto = by predicted time; blocked: number of item blocks");
    fields.word("resident", build_.resident,
                {{"items", Resident::items}, {"users", Resident::users}, {"auto", Resident::automatic}},
                "tiled: side whose vectors stay in shared memory; auto = by predicted time, or items if "
                "--item-blocks, --user-blocks, --groups or --gpus is given");
    fields.number("star-edges", build_.star_edges, 0, max_vertices,
                  "stars: maximum number of edges per star, including hubs (S, H); 0 = by predicted time");
    fields.word(
        "order", build_.row_phases.order,
        {{"given", RowOrder::given}, {"largest", RowOrder::largest}, {"smallest", RowOrder::smallest}},
        "rows: order of first fit; given (of the rows), largest (most conflicts first), or smallest "
        "(usually the fewest phases)");
    fields.flag("even", build_.row_phases.even, "rows: balance the sizes of the phases");
    fields.number("user-blocks", build_.user_blocks, 0, max_vertices,
                  "tiled: number of user blocks per group (R), even and at least 2 P; 0 = the fewest that "
                  "fit in shared memory");
    fields.number("groups", build_.groups, 0, max_vertices,
                  "tiled: number of user groups (G) and of shares of the items, which run one after another "
                  "or on several GPUs; 0 = one per GPU");
    fields.number("gpus", build_.gpus, 1, 64,
                  "tiled: number of GPUs that share the groups; G must be a multiple of this number");
    fields.number("rank", build_.rank, 1, 256,
                  "tiled, local, blocked: maximum rank whose vectors must fit in shared memory");
    fields.word("storage", build_.half_precision, {{"fp32", false}, {"fp16", true}},
                "tiled, local: precision of the stored factors, fp32 or fp16");
    fields.number("multiprocessors", build_.multiprocessors, 1, 65536,
                  "tiled, blocked, local, T: multiprocessors of the GPU");
    fields.text("probe", probe, "FILE",
                "tiled, stars, blocked, local, T: choose sizes by the measurements of a device (file of "
                "lockstep-probe -o, "
                "or h200); default: h200, so that a schedule does not depend on the machine");
    fields.number("on-chip", shared_memory_kilobytes_, 1, 1 << 20,
                  "tiled, local, blocked: shared memory of one multiprocessor, in KiB");
    fields.number(
        "region-vertices", build_.region_vertices, 0, 1 << 14,
        "regions: maximum number of vertices per region (clusters of up to 64 are never divided); 0 = 2,048, "
        "or 1,024 with weights");
    fields.number("hub-weight", build_.hub_weight, 0, 1e9,
                  "tiled: weight of the most rated item of a block when work is balanced");
}

BuildOptions BuilderOptions::build(std::uint64_t seed) const {
    BuildOptions build = build_;
    build.seed = seed;
    build.item_blocks = number_or_auto("item-blocks", item_blocks_, BuildOptions::by_cost);
    const VertexId workers_per_multiprocessor =
        build.workers / insight::default_build_options().multiprocessors;
    build.workers = workers.value_or(workers_per_multiprocessor * build.multiprocessors);
    build.shared_memory_bytes = EdgeId{shared_memory_kilobytes_} << 10;
    if (block_) parse_block(*block_, build);
    return build;
}

}  // namespace lockstep
