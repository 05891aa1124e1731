#include "scores.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <limits>

#include "cli.hpp"

namespace lockstep::predict {

double dot(const std::vector<float>& a, VertexId i, const std::vector<float>& b, VertexId j,
           std::uint32_t rank) {
    const float* p = a.data() + std::size_t{i} * rank;
    const float* q = b.data() + std::size_t{j} * rank;
    double sum = 0;
    for (std::uint32_t k = 0; k < rank; ++k) sum += double{p[k]} * double{q[k]};
    return sum;
}

float prediction(const Model& model, VertexId row, VertexId col) {
    return static_cast<float>(dot(model.row_factors, row, model.col_factors, col, model.rank) +
                              model.biases.of(row, col));
}
std::optional<Scale> scale_of(const Model& model) {
    const auto found = model.parameters.find("scale");
    if (found == model.parameters.end()) return {};
    const std::string_view text = found->second;
    const std::size_t dots = text.find("..");
    if (dots == text.npos) return {};
    const auto least = cli::parse_number(text.substr(0, dots), -3e38, 3e38),
               largest = cli::parse_number(text.substr(dots + 2), -3e38, 3e38);
    if (!least || !largest || !(*least < *largest)) return {};
    return Scale(*least, *largest);
}

float bias(const Model& model, std::optional<VertexId> row, std::optional<VertexId> col) {
    const Biases& b = model.biases;
    return static_cast<float>((row ? b.of(*row) : double{b.mean}) + (col ? double{b.col[*col]} : 0));
}

std::size_t user_batch_size(const Model& model) {
    constexpr std::size_t products = std::size_t{1} << 28, most = 1024;
    const std::size_t of_user = std::max<std::size_t>(1, std::size_t{model.cols} * model.rank);
    return std::clamp(products / of_user, static_cast<std::size_t>(omp_get_max_threads()), most);
}

ItemScores::ItemScores(const Model& model)
    : rank_(model.rank),
      by_component_(model.col_factors.size()),
      biases_(model.biases.empty() ? std::vector<float>(model.cols) : model.biases.col) {
    for (std::size_t item = 0; item < model.cols; ++item) {
        for (std::size_t k = 0; k < rank_; ++k) {
            by_component_[k * model.cols + item] = model.col_factors[item * rank_ + k];
        }
    }
}

namespace {

/// Adds the contributions of four components of a vector to the sums of some items, whose components are
/// `stride` apart. The additions have the order of a loop over components, but each sum is loaded only once.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx2", "default")))  // the same operations on more items per instruction
#endif
void add_four(double* sums, std::size_t items, const float* vector, const float* component, std::size_t stride) {
    const double w[] = {vector[0], vector[1], vector[2], vector[3]};
    for (std::size_t i = 0; i < items; ++i) {
        const float* const c = component + i;
        sums[i] =
            (((sums[i] + w[0] * double{c[0]}) + w[1] * double{c[stride]}) + w[2] * double{c[2 * stride]}) +
            w[3] * double{c[3 * stride]};
    }
}

}  // namespace

void ItemScores::compute(std::span<const float> vector, double bias, std::span<float> scores) const {
    constexpr std::size_t tile = 256;  // the sums of a tile stay in the L1 cache
    std::array<double, tile> sums;
    for (std::size_t first = 0; first < scores.size(); first += tile) {
        const std::size_t count = std::min(tile, scores.size() - first);
        sums.fill(0);
        std::size_t k = 0;
        const auto component = [&] { return by_component_.data() + k * scores.size() + first; };
        for (; k + 4 <= rank_; k += 4) add_four(sums.data(), count, &vector[k], component(), scores.size());
        for (; k < rank_; ++k) {
            for (std::size_t i = 0; i < count; ++i) sums[i] += double{vector[k]} * double{component()[i]};
        }
        for (std::size_t i = 0; i < count; ++i)
            scores[first + i] = static_cast<float>(sums[i] + (bias + double{biases_[first + i]}));
    }
}

std::size_t best(std::span<const float> scores, std::span<const char> skip,
                 std::vector<ScoredItem>& candidates, std::span<ScoredItem> ranked) {
    const auto better = [](const ScoredItem& a, const ScoredItem& b) {
        return a.score != b.score ? a.score > b.score : a.item < b.item;
    };
    const auto best_first = [&](std::size_t count) {
        const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(count);
        std::nth_element(candidates.begin(), last, candidates.end(), better);
        candidates.resize(count);
    };
    // Whenever there are twice as many candidates as requested items, only the better half is kept; later
    // items must score above its minimum.
    const std::size_t most = 2 * ranked.size();
    float bar = -std::numeric_limits<float>::infinity();
    candidates.clear();
    for (std::size_t item = 0; item < scores.size() && most; ++item) {
        if (skip[item] || (scores[item] <= bar && candidates.size() >= ranked.size())) continue;
        candidates.push_back({scores[item], static_cast<VertexId>(item)});
        if (candidates.size() < most) continue;
        best_first(ranked.size());
        bar = std::ranges::min(candidates, {}, &ScoredItem::score).score;
    }
    best_first(std::min(ranked.size(), candidates.size()));
    std::ranges::sort(candidates, better);
    std::ranges::copy(candidates, ranked.begin());
    return candidates.size();
}

}  // namespace lockstep::predict
