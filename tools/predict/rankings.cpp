#include "rankings.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "scores.hpp"

namespace lockstep::predict {

void recommend(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
               const Rated& rated, RecordWriter& writer, const cli::Common& common) {
    const std::size_t total = users ? users->size() : model.rows;
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    constexpr std::size_t most_lines = std::size_t{1} << 22;
    const std::size_t largest = std::max(threads, std::min(users_at_a_time(model), most_lines / top));
    const ItemScores items(model);
    struct Scratch {
        std::vector<float> scores;
        std::vector<char> skip;
        std::vector<Ranked> candidates;
    };
    // All memory is taken here: an exception must not leave a parallel region.
    std::vector<Scratch> scratch(threads,
                                 {std::vector<float>(model.cols), std::vector<char>(model.cols), {}});
    for (Scratch& s : scratch) s.candidates.reserve(model.cols);
    std::vector<Ranked> ranked(largest * top);
    std::vector<std::size_t> counts(largest);

    cli::Progress progress("ranking", total, common);
    // Who reads the first lines alone has them at once, and then the work ends: blocks grow from the least.
    for (std::size_t first = 0, block = threads; first < total; block = std::min(2 * block, largest)) {
        cli::check_signal();
        progress.update(first);
        const std::size_t count = std::min(block, total - first);
        const auto user_at = [&](std::size_t i) {
            return users ? (*users)[first + i] : static_cast<VertexId>(first + i);
        };
#pragma omp parallel for schedule(dynamic)
        for (std::size_t i = 0; i < count; ++i) {
            Scratch& own = scratch[static_cast<std::size_t>(omp_get_thread_num())];
            const VertexId user = user_at(i);
            items.compute(std::span(model.row_factors).subspan(std::size_t{user} * model.rank, model.rank),
                          model.biases.of(user), own.scores);
            for (const VertexId item : rated.items(user)) own.skip[item] = 1;
            counts[i] = best(own.scores, own.skip, own.candidates, std::span(ranked).subspan(i * top, top));
            for (const VertexId item : rated.items(user)) own.skip[item] = 0;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::string user = model.row_ids.name(user_at(i));
            for (std::size_t n = 0; n < counts[i]; ++n) {
                const Ranked& r = ranked[i * top + n];
                writer.add(user, model.col_ids.name(r.item), r.score, n + 1);
            }
        }
        writer.flush();
        first += count;
    }
}

void similar(const Model& model, VertexId item, std::size_t top, RecordWriter& writer) {
    const auto product = [&](VertexId i, VertexId j) {
        return dot(model.col_factors, i, model.col_factors, j, model.rank);
    };
    std::vector<float> scores(model.cols);
    const double own = std::sqrt(product(item, item));
    for (VertexId i = 0; i < model.cols; ++i) {
        const double lengths = own * std::sqrt(product(i, i));
        scores[i] = lengths > 0 ? static_cast<float>(product(item, i) / lengths) : 0;
    }
    std::vector<char> skip(model.cols);
    skip[item] = 1;
    std::vector<Ranked> candidates, ranked(top);
    const std::size_t count = best(scores, skip, candidates, ranked);
    const std::string name = model.col_ids.name(item);
    for (std::size_t n = 0; n < count; ++n)
        writer.add(name, model.col_ids.name(ranked[n].item), ranked[n].score, n + 1);
}

}  // namespace lockstep::predict
