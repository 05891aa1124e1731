#include "rankings.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "scores.hpp"

namespace lockstep::predict {

void rank_items(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
                const ExcludedItems& left_out, const std::function<void(std::size_t)>& begin_block,
                const TakeList& take) {
    const auto mark = [&](VertexId user, std::vector<char>& skip, char value) {
        for (const VertexId item : left_out.rated.items(user)) skip[item] = value;
        if (left_out.taken)
            for (const VertexId item : model.taken.of(user)) skip[item] = value;
    };
    const std::size_t total = users ? users->size() : model.rows;
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    constexpr std::size_t max_lines = std::size_t{1} << 22;
    const std::size_t largest = std::max(threads, std::min(user_batch_size(model), max_lines / top));
    const ItemScores items(model);
    struct Scratch {
        std::vector<float> scores;
        std::vector<char> skip;
        std::vector<ScoredItem> candidates;
    };
    // All memory is allocated here, since an exception must not leave a parallel region.
    std::vector<Scratch> scratch(threads,
                                 {std::vector<float>(model.cols), std::vector<char>(model.cols), {}});
    for (Scratch& s : scratch) s.candidates.reserve(std::min<std::size_t>(2 * top, model.cols));
    std::vector<ScoredItem> ranked(largest * top);
    std::vector<std::size_t> counts(largest);

    // Block sizes start with the minimum and grow, so that a reader of only the first lines gets them quickly
    // and the work then ends.
    for (std::size_t first = 0, block = threads; first < total; block = std::min(2 * block, largest)) {
        begin_block(first);
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
            mark(user, own.skip, 1);
            counts[i] = best(own.scores, own.skip, own.candidates, std::span(ranked).subspan(i * top, top));
            mark(user, own.skip, 0);
        }
        for (std::size_t i = 0; i < count; ++i)
            take(first + i, std::span(ranked).subspan(i * top, counts[i]));
        first += count;
    }
}

void recommend(const Model& model, const std::optional<std::vector<VertexId>>& users, std::size_t top,
               const ExcludedItems& left_out, RecordWriter& writer, const cli::Common& common) {
    cli::Progress progress("ranking", users ? users->size() : model.rows, common);
    const auto begin_block = [&](std::size_t done) {
        if (done > 0) writer.flush();
        cli::check_signal();
        progress.update(done);
    };
    rank_items(model, users, top, left_out, begin_block,
               [&](std::size_t place, std::span<const ScoredItem> list) {
                   const std::string user =
                       model.row_ids.name(users ? (*users)[place] : static_cast<VertexId>(place));
                   for (std::size_t n = 0; n < list.size(); ++n)
                       writer.add(user, model.col_ids.name(list[n].item), list[n].score, n + 1);
               });
    writer.flush();
}

std::vector<ScoredItem> most_similar(const Model& model, VertexId item, std::size_t top) {
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
    std::vector<ScoredItem> candidates, ranked(top);
    ranked.resize(best(scores, skip, candidates, ranked));
    return ranked;
}

void similar(const Model& model, VertexId item, std::size_t top, RecordWriter& writer) {
    const std::string name = model.col_ids.name(item);
    std::size_t n = 0;
    for (const ScoredItem& r : most_similar(model, item, top))
        writer.add(name, model.col_ids.name(r.item), r.score, ++n);
}

}  // namespace lockstep::predict
