// Reader of METIS graphs. A file has comments ('%'), a header "vertices edges [fmt [ncon]]", and one line per
// vertex with its neighbours, which are numbered from 1. Every undirected edge occurs in the lines of both
// endpoints, but the number of edges in the header counts it once. The three digits of fmt state whether
// there are vertex sizes, vertex weights (ncon per vertex) and edge weights. Vertex sizes and weights are
// ignored.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {
namespace {

struct MetisHeader {
    VertexId vertices;
    EdgeId edges;
    EdgeId skipped;  // number of sizes and weights that precede the neighbours in each line
    bool weighted;
};

MetisHeader parse_metis_header(const Lines& lines, std::string_view line) {
    Fields words;
    split(line, "", words);
    if (words.size() < 2 || words.size() > 4) {
        lines.fail(
            fmt::format("the header has {} numbers; expected \"vertices edges [fmt [ncon]]\"", words.size()));
    }
    std::string fmt_digits = words.size() > 2 ? std::string(words[2]) : "0";
    if (fmt_digits.size() > 3 || fmt_digits.find_first_not_of("01") != std::string::npos) {
        lines.fail(fmt::format("fmt {} is unknown; expected one of 0, 1, 10, 11, 100, 101, 110, 111",
                               shown(fmt_digits)));
    }
    fmt_digits.insert(0, 3 - fmt_digits.size(), '0');
    const bool sizes = fmt_digits[0] == '1', weights = fmt_digits[1] == '1';
    const EdgeId weights_each =
        words.size() == 4 ? parse_count(lines, words[3], "number of weights (ncon)") : weights;
    if (words.size() == 4 && (weights_each > 0) != weights)
        lines.fail(
            "ncon and fmt contradict each other about vertex weights; expected ncon > 0 with fmt 10, 11, 110 "
            "or 111 alone");
    if (weights_each > 1024)
        lines.fail(fmt::format("{} weights per vertex are too many; expected at most 1024", weights_each));
    return {parse_size(lines, words[0], "number of vertices"),
            parse_count(lines, words[1], "number of edges"), EdgeId{sizes} + weights_each,
            fmt_digits[2] == '1'};
}

/// The words of the lines of a file, line by line. A line is read in pieces, because the line of a hub may be
/// very long.
class WordLines {
public:
    explicit WordLines(Input& input) : lines_(input) {}

    /// Moves to the next line that is not a comment. Returns false at the end of the input.
    bool next() {
        do {
            while (more_) next_piece();
            if (!next_piece()) return false;
        } while (piece_.starts_with('%'));
        return true;
    }
    /// Returns the next word of the current line, or an empty word at the end of the line.
    std::string_view word() {
        for (;;) {
            const std::string_view token = next_token(piece_);
            if (!token.empty() || !more_) return token;
            next_piece();
        }
    }
    /// Returns all words of the current line, which must be short.
    std::string header() {
        std::string text;
        for (auto token = word(); !token.empty() && text.size() < 1000; token = word())
            text.append(token) += ' ';
        return text;
    }
    const Lines& lines() const { return lines_; }

private:
    bool next_piece() {
        if (lines_.next_piece(piece_, more_)) return true;
        piece_ = {};
        return more_ = false;
    }

    LineReader lines_;
    std::string_view piece_;
    bool more_ = false;
};

auto key(const Triple& e) { return std::tuple(e.row, e.col, e.value); }
bool before(const Triple& a, const Triple& b) { return key(a) < key(b); }

}  // namespace

ParsedFile read_metis(const Job& job) {
    WordLines words(job.input);
    const Lines& lines = words.lines();
    if (!words.next())
        lines.fail("the file ends before its header; expected \"vertices edges [fmt [ncon]]\"");
    const MetisHeader header = parse_metis_header(lines, words.header());
    job.budget.charge(2 * MemoryBudget::vertex_bytes * header.vertices);
    job.budget.require(MemoryBudget::edge_bytes(true) * static_cast<double>(header.edges));

    // The edges in the lines of their smaller endpoints, and those in the lines of their larger endpoints.
    EdgeList smaller(job.budget, false), larger(job.budget, false);
    for (EdgeList* edges : {&smaller, &larger}) edges->expect(header.edges, job.input.size());
    std::vector<EdgeId> line_of;
    for (VertexId u = 0; u < header.vertices; ++u) {
        if (!words.next())
            lines.fail(
                fmt::format("the file ends after {} of {} vertex lines; expected one line per vertex (a "
                            "blank line for a vertex without neighbours)",
                            u, header.vertices));
        line_of.push_back(lines.number());
        for (EdgeId i = 0; i < header.skipped; ++i)
            parse_count(lines, words.word(), "size or weight of the vertex");
        for (auto token = words.word(); !token.empty(); token = words.word()) {
            const VertexId v = parse_declared(lines, token, header.vertices, "neighbour");
            if (u == v)
                lines.fail(
                    fmt::format("vertex {} is its own neighbour; METIS graphs have no self-loops and ids "
                                "from 1: remove it, or add 1 to ids that begin at 0",
                                u + 1));
            float weight = 1;
            if (header.weighted) {
                token = words.word();
                if (token.empty())
                    lines.fail(
                        fmt::format("neighbour {} has no weight, but fmt declares edge weights; write the "
                                    "weight after the neighbour, or correct fmt",
                                    v + 1));
                weight = parse_weight(lines, token, job.options.min_weight());
            }
            if (u < v)
                smaller.push({u, v, weight});
            else
                larger.push({v, u, weight});
        }
    }
    while (words.next()) {
        if (!words.word().empty())
            lines.fail(
                fmt::format("found another line after the lines of all {} vertices; correct the header, or "
                            "remove the line",
                            header.vertices));
    }

    std::vector<Triple> edges = smaller.take();
    std::vector<Triple> mirrored = larger.take();
    std::sort(edges.begin(), edges.end(), before);
    std::sort(mirrored.begin(), mirrored.end(), before);
    const auto same = [](const Triple& a, const Triple& b) { return key(a) == key(b); };
    const auto [one, two] = std::mismatch(edges.begin(), edges.end(), mirrored.begin(), mirrored.end(), same);
    if (one != edges.end() || two != mirrored.end()) {
        const bool first_only = two == mirrored.end() || (one != edges.end() && before(*one, *two));
        const Triple& lone = first_only ? *one : *two;
        const auto [u, v] = first_only ? std::pair(lone.row, lone.col) : std::pair(lone.col, lone.row);
        throw FormatError(
            job.input.name(), line_of[u],
            fmt::format("vertex {} has the neighbour {}{}, but not vice versa; every edge must be in the "
                        "lines of both endpoints, with the same weight: add the missing entry",
                        u + 1, v + 1, header.weighted ? fmt::format(" with weight {}", lone.value) : ""));
    }
    if (edges.size() != header.edges) {
        throw FormatError(job.input.name(),
                          fmt::format("found {} edges, but the header declares {}; correct the header (each "
                                      "edge counts once, although it is in two lines)",
                                      edges.size(), header.edges));
    }
    ParsedFile parsed = square_graph(std::move(edges), {1, header.vertices}, lines.number());
    parsed.undirected = true;
    parsed.weighted = header.weighted;
    return parsed;
}

}  // namespace lockstep::readers
