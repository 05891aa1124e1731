#include <algorithm>
#include <cmath>

#include "fuzz.hpp"
#include "lockstep/formats/dataset.hpp"
#include "pack.hpp"
#include "readers/tokenizer.hpp"

namespace lockstep::fuzz {

namespace {

ReadOptions options_of(std::uint8_t graph, std::uint8_t text, std::uint8_t format) {
    ReadOptions options;
    options.memory_limit = memory_limit;
    constexpr std::optional<GraphShape> shapes[] = {{}, {}, GraphShape::bipartite, GraphShape::square};
    options.shape = shapes[graph & 3];
    options.undirected = graph & 4;
    options.repeats = static_cast<RepeatPolicy>((graph >> 3 & 7) % 6);
    options.nonnegative = graph & 64;
    options.input_order = !(graph & 128);
    if (text & 2) options.header = text & 1;
    constexpr const char* delimiters[] = {",", " ", "::", "|"};
    if (text & 16) options.delimiter = delimiters[text >> 2 & 3];
    switch (text >> 5) {
        case 1:
            options.row_column = "2", options.col_column = "1";
            break;
        case 2:
            options.value_column = "none";
            break;
        case 3:
            options.row_column = "user", options.value_column = "rating";
            break;
        case 4:
            options.col_column = "18446744073709551617";
            break;
        case 5:
            options.weights = false;
            break;
        default:
            break;
    }
    const auto known = graph_formats();
    if (format > 0 && format <= known.size()) options.format = std::next(known.begin(), format - 1)->first;
    return options;
}

void check_ids(const IdMap& ids) {
    // Checks all ids of a small map, and both ends of a large one: a header may declare a huge range.
    const VertexId size = ids.size(), looked_at = std::min<VertexId>(size, 100);
    for (VertexId i = 0; i < looked_at; ++i) {
        for (const VertexId v : {i, size - 1 - i})
            require(ids.find(ids.name(v)) == v, "every vertex is found by its id");
    }
}

}  // namespace

void read_graph(Source input, std::span<const char* const> suffixes) {
    readers::text_block_bytes = 512;  // small, so that blocks end within inputs
    std::string name = std::string("input") + suffixes[input.byte() % suffixes.size()];
    const std::uint8_t graph = input.byte(), text = input.byte(), packed_format = input.byte();
    ReadOptions options = options_of(graph, text, packed_format >> 3);
    const auto packing = static_cast<Packing>(packed_format & 7);
    std::string bytes(input.rest());
    if (packing != Packing::none) {
        bytes = pack(packing, {{name, input.rest()}, {"folder/other.dat", "1 2\n"}});
        if (packing >= Packing::tar_gzip) options.member = name;
        name += suffix(packing);
    }
    const auto path = scratch_file(name, bytes);
    try_to([&] {
        const Dataset data = read_dataset(path, options);
        validate(data.graph);
        require(data.row_ids.size() == data.graph.rows && data.col_ids.size() == data.graph.cols,
                "there are as many ids as vertices");
        check_ids(data.row_ids);
        check_ids(data.col_ids);
        require(!options.nonnegative || std::none_of(data.graph.value.begin(), data.graph.value.end(),
                                                     [](float value) { return value < 0; }),
                "a negative weight is refused where it was asked for");
    });
}

}  // namespace lockstep::fuzz
