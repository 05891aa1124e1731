// The functions of the C interface that read, write and use models: predictions, recommendations, and
// evaluation.
#include <fmt/format.h>

#include <limits>

#include "evaluate.hpp"
#include "graph_use.hpp"
#include "rankings.hpp"
#include "scores.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace {

using Json = nlohmann::ordered_json;

/// Returns indices of vertices of one side with `size` vertices. Throws Error (bad input) if an index is too
/// large, or negative (unless `unknown` allows this).
Array<std::int64_t> positions(const lockstep_array& array, VertexId size, const char* what, bool unknown) {
    Array<std::int64_t> found = c::whole_numbers(array, what);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] < std::int64_t{size} && (unknown || found[i] >= 0)) continue;
        throw Error(Failure::bad_input, fmt::format("{}: entry {} is {}; expected positions from 0 to {}",
                                                    what, i, found[i], std::int64_t{size} - 1));
    }
    return found;
}

void require_items(const Model& model) {
    if (model.cols == 0) throw Error(Failure::bad_input, "the model has no items");
}

predict::KnownRatings rated_of(const lockstep_graph* rated, const Model& model) {
    if (!rated) return {};
    const std::lock_guard lock(rated->mutex);
    return {rated->file->dataset, model, "the excluded pairs"};
}

/// Several ranked lists of at most n items, stored in one array. Entries that are not set have the item -1
/// and the score NaN.
struct Lists {
    std::vector<std::int64_t> items;
    std::vector<float> scores;

    Lists(std::size_t lists, std::size_t n)
        : items(lists * n, -1), scores(lists * n, std::numeric_limits<float>::quiet_NaN()) {}
    void set(std::size_t begin, std::span<const predict::ScoredItem> list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            items[begin + i] = list[i].item, scores[begin + i] = list[i].score;
    }
    lockstep_result* result(std::size_t lists, std::size_t n) const {
        auto made = std::make_unique<lockstep_result>();
        made->add("items", items.data(), lists, LOCKSTEP_INT64, n);
        made->add("scores", scores.data(), lists, LOCKSTEP_FLOAT32, n);
        return made.release();
    }
};

predict::EvaluationQuestion question_of(const char* const* options) {
    using UnknownPairPolicy = predict::EvaluationQuestion::UnknownPairPolicy;
    constexpr double large = 1e30;
    predict::EvaluationQuestion question;
    std::optional<double> relevant;
    Fields fields;
    fields.number("at", question.at, 0, 1'000'000, "");
    fields.number("relevant", relevant, -large, large, "");
    fields.word("unknown", question.unknown,
                {{"nan", UnknownPairPolicy::left_out},
                 {"bias", UnknownPairPolicy::by_bias},
                 {"error", UnknownPairPolicy::refused}},
                "");
    c::take_options(options, fields);
    if (relevant) question.relevant = static_cast<float>(*relevant);
    return question;
}

}  // namespace

int lockstep_model_read(const char* path, lockstep_model** model) {
    return call([&] {
        required(model, "model") = nullptr;
        *model = new lockstep_model{read_model(&required(path, "path"))};
    });
}

int lockstep_model_write(const lockstep_model* model, const char* path, const char* const* options) {
    return call([&] {
        const Model& m = required(model, "model").model;
        c::refuse_existing(&required(path, "path"), options);
        write_model(path, m);
    });
}

int lockstep_model_info(const lockstep_model* model, lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        const Model& m = required(model, "model").model;
        auto made = std::make_unique<lockstep_result>();
        made->add("row_factors", m.row_factors.data(), m.rows, LOCKSTEP_FLOAT32, m.rank);
        made->add("col_factors", m.col_factors.data(), m.cols, LOCKSTEP_FLOAT32, m.rank);
        if (!m.biases.empty()) {
            made->add("row_biases", m.biases.row.data(), m.rows, LOCKSTEP_FLOAT32);
            made->add("col_biases", m.biases.col.data(), m.cols, LOCKSTEP_FLOAT32);
        }
        c::add_both_ids(*made, m.row_ids, m.col_ids);
        const Json json{{"rows", m.rows},
                        {"cols", m.cols},
                        {"rank", m.rank},
                        {"mean", m.biases.mean},
                        {"biased", !m.biases.empty()},
                        {"graph_hash", m.graph_hash},
                        {"parameters", m.parameters}};
        made->json = cli::json_text(json, -1);
        *result = made.release();
    });
}

int lockstep_model_predict(const lockstep_model* model, const lockstep_array* rows,
                           const lockstep_array* cols, lockstep_array* predictions) {
    return call([&] {
        const Model& m = required(model, "model").model;
        const auto u = positions(required(rows, "rows"), m.rows, "rows", true),
                   v = positions(required(cols, "cols"), m.cols, "cols", true);
        lockstep_array& out = required(predictions, "predictions");
        c::require_host(out, "predictions");
        if (u.size() != v.size() || out.rows != u.size() || out.columns != 1 || out.type != LOCKSTEP_FLOAT32)
            throw Error(Failure::bad_input,
                        fmt::format("there are {} rows, {} columns and a buffer for {} predictions; expected "
                                    "equal lengths and single precision",
                                    u.size(), v.size(), out.rows));
        auto* const to = static_cast<float*>(out.data);
        const c::Threads threads(c::threads_for(u.size()));
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < u.size(); ++i) {
            to[i] = u[i] < 0 || v[i] < 0
                        ? std::numeric_limits<float>::quiet_NaN()
                        : predict::prediction(m, static_cast<VertexId>(u[i]), static_cast<VertexId>(v[i]));
        }
    });
}

int lockstep_model_top(const lockstep_model* model, const lockstep_array* rows, uint64_t n,
                       const lockstep_graph* rated, lockstep_progress progress, void* data,
                       lockstep_result** result) {
    const char* const options[] = {"include-taken", nullptr};
    return lockstep_model_recommend(model, rows, n, rated, options, progress, data, result);
}

int lockstep_model_recommend(const lockstep_model* model, const lockstep_array* rows, uint64_t n,
                             const lockstep_graph* rated, const char* const* options,
                             lockstep_progress progress, void* data, lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        bool includes_taken = false;
        Fields fields;
        fields.flag("include-taken", includes_taken, "");
        c::take_options(options, fields);
        const Model& m = required(model, "model").model;
        require_items(m);
        std::optional<std::vector<VertexId>> users;
        if (rows) {
            const auto found = positions(*rows, m.rows, "rows", false);
            users.emplace(found.begin(), found.end());
        }
        const std::size_t count = users ? users->size() : m.rows, top = std::min<std::uint64_t>(n, m.cols);
        if (top == 0) throw cli::UsageError("lists of 0 items are requested; expected at least 1");
        const predict::ExcludedItems left_out{rated_of(rated, m), !includes_taken};
        const c::Threads threads(c::threads_for(count * m.cols));
        const c::Progress listener(progress, data);
        Lists lists(count, top);
        const auto begin_block = [&](std::size_t done) {
            if (!listener.round(done, count)) throw c::StoppedByCallback();
        };
        predict::rank_items(m, users, top, left_out, begin_block,
                            [&](std::size_t place, std::span<const predict::ScoredItem> list) {
                                lists.set(place * top, list);
                            });
        *result = lists.result(count, top);
    });
}

int lockstep_model_similar(const lockstep_model* model, uint64_t col, uint64_t n, lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        const Model& m = required(model, "model").model;
        require_items(m);
        if (col >= m.cols)
            throw Error(Failure::bad_input, fmt::format("there is no item at {}; there are {}", col, m.cols));
        const std::size_t top = std::min<std::uint64_t>(n, m.cols - 1);
        Lists lists(1, top);
        lists.set(0, predict::most_similar(m, static_cast<VertexId>(col), top));
        *result = lists.result(1, top);
    });
}

int lockstep_model_evaluate(const lockstep_model* model, const lockstep_graph* truth,
                            const lockstep_graph* rated, const char* const* options,
                            lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        const Model& m = required(model, "model").model;
        const lockstep_graph& t = required(truth, "truth");
        const predict::EvaluationQuestion question = question_of(options);
        if (question.unknown == predict::EvaluationQuestion::UnknownPairPolicy::by_bias && m.biases.empty())
            throw cli::UsageError("unknown=bias needs a biased model; this one is plain");
        const std::lock_guard lock(t.mutex);
        cli::Common quiet;
        quiet.quiet = true;
        const c::Threads threads(c::threads_for(std::uint64_t{t.graph().rows} * m.cols));
        const predict::Evaluation found =
            predict::evaluate(m, t.file->dataset, question, rated_of(rated, m), quiet);
        auto made = std::make_unique<lockstep_result>();
        const Json json{{"evaluation", predict::evaluation_json(found, question, "memory", "memory")}};
        made->json = cli::json_text(json, -1) + '\n';
        *result = made.release();
    });
}

void lockstep_model_free(lockstep_model* model) { delete model; }
