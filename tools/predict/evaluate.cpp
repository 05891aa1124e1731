#include "evaluate.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/id_match.hpp"
#include "scores.hpp"

namespace lockstep::predict {
namespace {

struct Pair {
    std::optional<VertexId> row, col;  ///< vertices of the model
    float value;
    bool is_known() const { return row && col; }
};

/// Returns the pairs that count, sorted by the row of the model, and in file order within a row.
std::vector<Pair> counted_pairs(const Model& model, const Dataset& truth,
                                EvaluationQuestion::UnknownPairPolicy unknown, Evaluation& result) {
    using UnknownPairPolicy = EvaluationQuestion::UnknownPairPolicy;
    const Graph& graph = truth.graph;
    const auto row_of = match_ids(truth.row_ids, model.row_ids),
               col_of = match_ids(truth.col_ids, model.col_ids);
    std::vector<Pair> pairs;
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            const Pair pair{row_of[u], col_of[graph.col[e]], graph.weight(e)};
            result.unknown += !pair.is_known();
            if (!pair.is_known() && unknown == UnknownPairPolicy::refused) {
                const auto id = !pair.row ? std::pair("row", truth.row_ids.name(u))
                                          : std::pair("column", truth.col_ids.name(graph.col[e]));
                throw FormatError(
                    truth.source.path,
                    fmt::format("the {} {} is not in the model (--unknown nan leaves such pairs out)",
                                id.first, id.second));
            }
            if (pair.is_known() || unknown == UnknownPairPolicy::by_bias) pairs.push_back(pair);
        }
    }
    if (pairs.empty()) {
        throw FormatError(
            truth.source.path,
            fmt::format("none of its {} pairs is in the model; the model has rows {} and columns {}",
                        cli::group_digits(graph.edges()), model.row_ids.describe(),
                        model.col_ids.describe()));
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.row < b.row; });
    return pairs;
}

void measure_errors(const Model& model, const std::vector<Pair>& pairs, const std::optional<Scale>& scale,
                    Evaluation& result) {
    // Number of pairs per block; errors are summed by block, so that the order of additions is fixed.
    constexpr std::size_t share = 4096;
    struct Sums {
        double squares = 0, absolute = 0;
    };
    std::vector<Sums> sums((pairs.size() + share - 1) / share);
#pragma omp parallel for schedule(static)
    for (std::size_t s = 0; s < sums.size(); ++s) {
        for (std::size_t i = s * share; i < std::min(pairs.size(), (s + 1) * share); ++i) {
            const Pair& p = pairs[i];
            const float predicted =
                on(scale, p.is_known() ? prediction(model, *p.row, *p.col) : bias(model, p.row, p.col));
            const double error = double{p.value} - double{predicted};
            sums[s].squares += error * error;
            sums[s].absolute += std::abs(error);
        }
    }
    Sums all;
    for (const Sums& s : sums) all.squares += s.squares, all.absolute += s.absolute;
    const auto count = static_cast<double>(pairs.size());
    result.pairs = pairs.size();
    result.rmse = std::sqrt(all.squares / count);
    result.mae = all.absolute / count;
}

/// Quality of a user's list of length k.
struct ListQuality {
    double precision = 0, recall = 0, ndcg = 0;
};

ListQuality worth_of(std::span<const ScoredItem> list, const std::vector<char>& is_relevant,
                     std::size_t relevant, std::size_t k) {
    double hits = 0, gain = 0, most = 0;
    for (std::size_t place = 1; place <= k; ++place) {
        const double discounted = 1 / std::log2(static_cast<double>(place + 1));
        if (place <= relevant) most += discounted;
        if (place > list.size() || !is_relevant[list[place - 1].item]) continue;
        ++hits, gain += discounted;
    }
    return {hits / static_cast<double>(k), hits / static_cast<double>(relevant), gain / most};
}

void measure_rankings(const Model& model, const std::vector<Pair>& pairs, const EvaluationQuestion& question,
                      const KnownRatings& rated, const cli::Common& common, Evaluation& result) {
    std::vector<std::size_t> first;  // index of the first pair of every user that the model knows
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (pairs[i].row && (i == 0 || pairs[i].row != pairs[i - 1].row)) first.push_back(i);
    }
    first.push_back(pairs.size());
    const std::size_t users = first.size() - 1, k = question.at;
    const ItemScores items(model);
    struct Scratch {
        std::vector<float> scores;
        std::vector<char> skip, relevant;
        std::vector<ScoredItem> candidates, list;
    };
    // All memory is allocated here, since an exception must not leave a parallel region.
    const std::vector<char> none(model.cols);
    std::vector<Scratch> scratch(static_cast<std::size_t>(omp_get_max_threads()),
                                 {std::vector<float>(model.cols),
                                  none,
                                  none,
                                  {},
                                  std::vector<ScoredItem>(std::min<std::size_t>(k, model.cols))});
    for (Scratch& s : scratch) s.candidates.reserve(std::min<std::size_t>(2 * k, model.cols));
    std::vector<ListQuality> worth(users);
    std::vector<char> counts(users);

    const std::size_t block = user_batch_size(model);
    cli::Progress progress("ranking", users, common);
    for (std::size_t begin = 0; begin < users; begin += block) {
        cli::check_signal();
        progress.update(begin);
#pragma omp parallel for schedule(dynamic)
        for (std::size_t u = begin; u < std::min(users, begin + block); ++u) {
            Scratch& own = scratch[static_cast<std::size_t>(omp_get_thread_num())];
            const std::span<const Pair> of_user(pairs.data() + first[u], first[u + 1] - first[u]);
            std::size_t relevant = 0;
            for (const Pair& p : of_user) {
                if (p.col && p.value >= question.relevant && !own.relevant[*p.col])
                    own.relevant[*p.col] = 1, ++relevant;
            }
            if (relevant > 0) {
                const VertexId row = *of_user[0].row;
                for (const VertexId item : rated.items(row)) own.skip[item] = 1;
                for (const Pair& p : of_user) {
                    if (p.col) own.skip[*p.col] = 0;
                }
                items.compute(std::span(model.row_factors).subspan(std::size_t{row} * model.rank, model.rank),
                              model.biases.of(row), own.scores);
                const std::size_t count = best(own.scores, own.skip, own.candidates, own.list);
                worth[u] = worth_of(std::span(own.list).first(count), own.relevant, relevant, k);
                counts[u] = 1;
                for (const VertexId item : rated.items(row)) own.skip[item] = 0;
            }
            for (const Pair& p : of_user) {
                if (p.col) own.relevant[*p.col] = 0;
            }
        }
    }
    ListQuality all;
    for (std::size_t u = 0; u < users; ++u) {
        all.precision += worth[u].precision, all.recall += worth[u].recall, all.ndcg += worth[u].ndcg;
        result.users += static_cast<VertexId>(counts[u]);
    }
    const double count = std::max<VertexId>(result.users, 1);
    result.precision = all.precision / count, result.recall = all.recall / count,
    result.ndcg = all.ndcg / count;
}

}  // namespace

Evaluation evaluate(const Model& model, const Dataset& truth, const EvaluationQuestion& question,
                    const KnownRatings& rated, const cli::Common& common) {
    Evaluation result;
    const std::vector<Pair> pairs = counted_pairs(model, truth, question.unknown, result);
    if (result.unknown > truth.graph.edges() / 2) {
        cli::note(common,
                  fmt::format("warning: {} of {} pairs have an id that is not in the model; are rows "
                              "and columns those of the training data?",
                              cli::group_digits(result.unknown), cli::group_digits(truth.graph.edges())));
    }
    const auto feedback = model.parameters.find("feedback");
    const auto is_taken = [](const Pair& p) { return p.value == 0 || p.value == 1; };
    if (feedback != model.parameters.end() && feedback->second == "implicit" &&
        !std::all_of(pairs.begin(), pairs.end(), is_taken))
        cli::note(common,
                  "warning: the model predicts from 0 to 1 whether an item is taken, and not ratings: its "
                  "RMSE and MAE are meaningless for these weights");
    measure_errors(model, pairs, question.scale, result);
    if (question.at > 0) measure_rankings(model, pairs, question, rated, common, result);
    return result;
}

std::string evaluation_text(const Evaluation& e, const EvaluationQuestion& q) {
    const char* const what =
        q.unknown == EvaluationQuestion::UnknownPairPolicy::by_bias ? "by biases" : "left out";
    std::string text =
        fmt::format("RMSE {:.5f}, MAE {:.5f}: {} pairs", e.rmse, e.mae, cli::group_digits(e.pairs));
    if (e.unknown) text += fmt::format(" ({} with an unknown id {})", cli::group_digits(e.unknown), what);
    text += '\n';
    if (q.at > 0)
        text += fmt::format("precision@{0} {1:.5f}, recall@{0} {2:.5f}, NDCG@{0} {3:.5f}: {4} users\n", q.at,
                            e.precision, e.recall, e.ndcg, cli::group_digits(e.users));
    return text;
}

nlohmann::ordered_json evaluation_json(const Evaluation& e, const EvaluationQuestion& q,
                                       const std::string& model, const std::string& file) {
    nlohmann::ordered_json json{{"model", model},       {"file", file},   {"pairs", e.pairs},
                                {"unknown", e.unknown}, {"rmse", e.rmse}, {"mae", e.mae}};
    if (q.at > 0) {
        json.update({{"at", q.at},
                     {"users", e.users},
                     {"precision", e.precision},
                     {"recall", e.recall},
                     {"ndcg", e.ndcg}});
        if (std::isfinite(q.relevant)) json["relevant"] = q.relevant;
    }
    return json;
}

}  // namespace lockstep::predict
