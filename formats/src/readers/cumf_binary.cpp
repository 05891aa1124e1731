// Reader of the ratings format of cuMF_SGD: records of a 32-bit row, a 32-bit column and a single-precision
// rating, all little-endian, without a header.
#include <fmt/format.h>

#include <bit>
#include <vector>

#include "named_edges.hpp"
#include "parallel.hpp"
#include "readers.hpp"
#include "text.hpp"

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
class PieceParser {
public:
    PieceParser(const Job& job, NamedEdges& edges) : job_(job), builder_(edges.builder()) {}

    EdgeBlock operator()(const Piece& piece) {
        const std::size_t count = piece.bytes / sizeof(Record);
        for (std::size_t i = 0; i < count; ++i) {
            const Record& r = piece.records[i];
            if (r.row < 0 || r.col < 0)
                fail(piece.first + i,
                     fmt::format("the ids ({}, {}) are negative; expected cuMF triples (int32 row, int32 "
                                 "column, float rating)",
                                 r.row, r.col));
            if (const char* fault = weight_fault(r.value, job_.options.min_weight()))
                fail(piece.first + i,
                     fmt::format("the rating {} {}; expected cuMF triples (int32 row, int32 column, "
                                 "float rating)",
                                 r.value, fault));
            builder_.add(std::int64_t{r.row}, std::int64_t{r.col}, r.value);
        }
        if (piece.bytes % sizeof(Record) != 0)
            fail(piece.first + count,
                 fmt::format("the file ends after {} of its 12 bytes (int32 row, int32 column, "
                             "float rating); get the whole file, or choose another --format",
                             piece.bytes % sizeof(Record)));
        return builder_.finish();
    }

private:
    [[noreturn]] void fail(EdgeId record, const std::string& message) const {
        throw FormatError(job_.input.name(), fmt::format("record {}: {}", record + 1, message));
    }

    const Job& job_;
    EdgeBlockBuilder builder_;
};

}  // namespace

ParsedFile read_cumf_binary(const Job& job) {
    const GraphShape shape = job.options.shape.value_or(GraphShape::bipartite);
    NamedEdges edges(job.budget, shape, job.options.undirected);
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
        [&] { return PieceParser(job, edges); }, [&](const EdgeBlock& block) { edges.append(block); });
    const EdgeId count = edges.size();
    auto [triples, row_ids, col_ids, no_times] = edges.finish();
    return {std::move(triples), std::move(row_ids), std::move(col_ids), shape, false, true, count};
}

}  // namespace lockstep::readers
