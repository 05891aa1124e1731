#include "apps/sgd/application_split.hpp"

#include <fmt/format.h>

#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/id_match.hpp"
#include "lockstep/formats/id_text.hpp"
#include "lockstep/formats/output_file.hpp"

namespace lockstep::sgd {

namespace {

Dataset read_test(const std::string& path) {
    ReadOptions reading;
    reading.interruption = check_signal;
    reading.ids_are_matched = true;
    InputFile file(path, check_signal);
    if (file.is_lockstep_hdf5())
        return remove_drawn_pairs(read_schedule_file(path, std::vector<std::string>{}).dataset);
    return read_dataset(file, reading);
}

/// Appends a test edge with the number `number` to `test`, and then edges of weight 0 that are drawn for it
/// (implicit feedback). They are drawn like those for training edges, but with other random numbers.
void add_drawn(std::vector<Triple>& test, const ImplicitFeedback& feedback, const Triple& edge, EdgeId number,
               VertexId cols) {
    test.push_back(edge);
    for (std::uint32_t i = 0; i < feedback.drawn; ++i)
        test.push_back({edge.row, drawn_column(feedback, ~number, i, cols), 0});
}

}  // namespace

void SplitOptions::list(Fields& more) {
    more.text("test", test_, "FILE",
              "compute the test error on this ratings or schedule file, and train on all edges")
        .reads();
    more.number("test-latest", latest_, 0, 1,
                "fraction of the edges held out: the latest edges by the times of the input (--time-column)");
    more.text("export-test", export_, "FILE",
              "write the test edges to this file, as `row column weight` with the original IDs")
        .writes(text_output);
}

void SplitOptions::settle(const Fields& parameters, double fraction) const {
    if (test_ && latest_ > 0) throw UsageError("--test and --test-latest exclude each other; give one");
    if (given() && parameters.is_given("test-fraction") && fraction > 0)
        throw UsageError(fmt::format("--test-fraction and {} exclude each other; give one",
                                     test_ ? "--test" : "--test-latest"));
    if (latest_ >= 1) throw UsageError("--test-latest must be below 1");
    if (export_ && !given() && fraction == 0)
        throw UsageError("--export-test requires --test-fraction, --test-latest or --test");
    if (test_) refuse_standard_input(*test_, "a test file");
}

Split SplitOptions::split(const Input& input, double fraction, std::uint64_t seed) {
    const Dataset& data = input.file.dataset;
    const Graph& graph = data.graph;
    if (input.part && (export_ || latest_ > 0))
        throw UsageError(
            fmt::format("{} needs all edges in one process: start a single process, or write the test edges "
                        "first and give --test",
                        export_ ? "--export-test" : "--test-latest"));
    if (latest_ > 0) {
        if (data.times.empty())
            throw FormatError(data.source.path,
                              "--test-latest needs times, but this graph has none; give --time-column NAME "
                              "(or auto) to the program that reads the input");
        return split_latest(graph, data.times, latest_);
    }
    if (!test_)
        return input.part ? split_by_seed(*input.part, fraction, seed) : split_by_seed(graph, fraction, seed);
    const Dataset given = read_test(*test_);
    const auto row_of = match_ids(given.row_ids, data.row_ids),
               col_of = match_ids(given.col_ids, data.col_ids);
    const std::optional<ImplicitFeedback> feedback = feedback_of(data);
    Split split;
    unknown_ = 0, given_ = given.graph.edges();
    for (VertexId u = 0; u < given.graph.rows; ++u) {
        for (const EdgeId e : given.graph.edges_of(u)) {
            const auto col = col_of[given.graph.col[e]];
            const float weight = given.graph.weight(e);
            if (!row_of[u] || !col) {
                ++unknown_;
            } else if (!feedback) {
                split.test.push_back({*row_of[u], *col, weight});
            } else if (weight >= feedback->least) {
                add_drawn(split.test, *feedback, {*row_of[u], *col, 1}, e, graph.cols);
            }
        }
    }
    if (split.test.empty()) {
        throw FormatError(
            *test_,
            fmt::format(
                "none of its {} edges has both ids in the graph; the graph has rows {} and columns {}",
                text::group_digits(given.graph.edges()), data.row_ids.describe(), data.col_ids.describe()));
    }
    if (input.part) {  // each process keeps its share of the test edges
        const auto at = [&](int rank) {
            return split.test.begin() + static_cast<std::ptrdiff_t>(ranks().share(split.test.size(), rank));
        };
        split.test = std::vector<Triple>(at(ranks().rank()), at(ranks().rank() + 1));
    }
    return split;
}

void SplitOptions::write(const Input& input, const Split& split) const {
    if (!export_) return;
    const Dataset& data = input.file.dataset;
    const char separator = field_separator(data.row_ids, data.col_ids);
    OutputFile file(*export_);
    for (const Triple& t : split.test) {
        // an edge of weight 0 that was drawn is not in the input file
        if (data.source.drawn && t.value == 0) continue;
        file.write(fmt::format("{1}{0}{2}{0}{3}\n", separator, id_field(data.row_ids.name(t.row)),
                               id_field(data.col_ids.name(t.col)), t.value));
    }
    file.commit();
}

void SplitOptions::describe(RunHeader& header) const {
    if (latest_ > 0) header.parameters["test_latest"] = fmt::format("{:g}", latest_);
    if (test_) header.parameters["test"] = *test_;
}

std::string SplitOptions::remark() const {
    if (!unknown_) return {};
    const bool most = unknown_ > given_ / 2;
    return fmt::format("{}{} of {} edges of {} have an id that is not in the graph, and are left out{}",
                       most ? "warning: " : "", text::group_digits(unknown_), text::group_digits(given_),
                       *test_, most ? "; are its rows and columns those of the graph?" : "");
}

}  // namespace lockstep::sgd
