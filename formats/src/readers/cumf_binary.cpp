// cuMF_SGD ratings: records of a 32-bit row, a 32-bit column and a single-precision rating, each
// little-endian, without a header.
#include <fmt/format.h>

#include <bit>

#include "named_edges.hpp"
#include "readers.hpp"
#include "text.hpp"

namespace lockstep::readers {

Parsed read_cumf_binary(const Job& job) {
    static_assert(std::endian::native == std::endian::little);
    struct Record {
        std::int32_t row, col;
        float value;
    };
    static_assert(sizeof(Record) == 12);
    constexpr std::size_t block = 1 << 16;
    const GraphShape shape = job.options.shape.value_or(GraphShape::bipartite);
    NamedEdges edges(job.budget, shape, job.options.undirected);
    std::vector<Record> records(block);
    const auto fail = [&](const std::string& message) {
        throw FormatError(job.input.name(), fmt::format("record {}: {}", edges.size() + 1, message));
    };
    std::size_t bytes = 0;
    do {
        bytes = job.input.read(reinterpret_cast<char*>(records.data()), block * sizeof(Record));
        for (std::size_t i = 0; i < bytes / sizeof(Record); ++i) {
            const Record& r = records[i];
            if (r.row < 0 || r.col < 0)
                fail(
                    fmt::format("the ids ({}, {}) are negative; expected cuMF triples (int32 row, int32 "
                                "column, float rating)",
                                r.row, r.col));
            if (const char* fault = weight_fault(r.value, job.options.least_weight())) {
                fail(fmt::format(
                    "the rating {} {}; expected cuMF triples (int32 row, int32 column, float rating)",
                    r.value, fault));
            }
            edges.add(std::int64_t{r.row}, std::int64_t{r.col}, r.value);
        }
        if (bytes % sizeof(Record) != 0) {
            fail(
                fmt::format("the file ends after {} of its 12 bytes (int32 row, int32 column, float rating); "
                            "get the whole file, or choose another --format",
                            bytes % sizeof(Record)));
        }
    } while (bytes == block * sizeof(Record));
    const EdgeId count = edges.size();
    auto [triples, row_ids, col_ids, no_times] = edges.finish();
    return {std::move(triples), std::move(row_ids), std::move(col_ids), shape, false, true, count};
}

}  // namespace lockstep::readers
