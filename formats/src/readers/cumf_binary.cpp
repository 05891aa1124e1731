// Reader of the ratings format of cuMF_SGD: records of a 32-bit row, a 32-bit column and a single-precision
// rating, all little-endian, without a header.
#include <fmt/format.h>

#include <bit>
#include <vector>

#include "named_edges.hpp"
#include "parallel.hpp"
#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {

namespace {

struct Record {
    std::int32_t row, col;
    float value;
};
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Record) == 12);

/// A number of consecutive records, as the file stores them. `first` is the index of the first one in the
/// file. At the end of the file, the last record may be truncated.
struct Piece {
    static constexpr std::size_t most = 1 << 14;
    EdgeId first = 0;
    std::size_t bytes = 0;
    std::vector<Record> records;
};

/// Checks the records of a piece, and converts them to a block of edges.
EdgeBlock parse_piece(const Job& job, const Piece& piece, EdgeBlockBuilder& builder) {
    const auto fail = [&](std::size_t record, const std::string& message) {
        throw FormatError(job.input.name(), fmt::format("record {}: {}", piece.first + record + 1, message));
    };
    const std::size_t count = piece.bytes / sizeof(Record), rest = piece.bytes % sizeof(Record);
    for (std::size_t i = 0; i < count; ++i) {
        const Record& r = piece.records[i];
        if (r.row < 0 || r.col < 0)
            fail(i, fmt::format("the ids ({}, {}) are negative; expected cuMF triples (int32 row, int32 "
                                "column, float rating)",
                                r.row, r.col));
        if (const char* fault = weight_fault(r.value, job.options.min_weight()))
            fail(i, fmt::format("the rating {} {}; expected cuMF triples (int32 row, int32 column, "
                                "float rating)",
                                r.value, fault));
        builder.add(std::int64_t{r.row}, std::int64_t{r.col}, r.value);
    }
    if (rest != 0)
        fail(count, fmt::format("the file ends after {} of its 12 bytes (int32 row, int32 column, float "
                                "rating); get the whole file, or choose another --format",
                                rest));
    return builder.finish();
}

}  // namespace

ParsedFile read_cumf_binary(const Job& job) {
    NamedEdges edges(job.budget, job.options.shape.value_or(GraphShape::bipartite), job.options.undirected);
    edges.expect(static_cast<double>(job.input.size()) / sizeof(Record));
    EdgeId taken = 0;
    run_pipeline<Piece>(
        [&](Piece& piece) {
            piece.records.resize(Piece::most);
            piece.first = taken;
            piece.bytes =
                job.input.read(reinterpret_cast<char*>(piece.records.data()), Piece::most * sizeof(Record));
            taken += piece.bytes / sizeof(Record);
            return piece.bytes > 0;
        },
        [&] {
            return [&job, builder = edges.builder()](const Piece& piece) mutable {
                return parse_piece(job, piece, builder);
            };
        },
        [&](const EdgeBlock& block) { edges.append(block); });
    ParsedFile parsed = edges.finish();
    parsed.weighted = true;
    parsed.lines = parsed.edges.size();
    return parsed;
}

}  // namespace lockstep::readers
