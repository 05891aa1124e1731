#include "scores.hpp"

#include <omp.h>

#include <algorithm>
#include <array>

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

std::size_t users_at_a_time(const Model& model) {
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

void ItemScores::compute(std::span<const float> vector, double bias, std::span<float> scores) const {
    constexpr std::size_t tile = 256;  // sums of a tile stay in the first-level cache
    std::array<double, tile> sums;
    for (std::size_t first = 0; first < scores.size(); first += tile) {
        const std::size_t count = std::min(tile, scores.size() - first);
        sums.fill(0);
        for (std::size_t k = 0; k < rank_; ++k) {
            const double weight = vector[k];
            const float* component = by_component_.data() + k * scores.size() + first;
            for (std::size_t i = 0; i < count; ++i) sums[i] += weight * double{component[i]};
        }
        for (std::size_t i = 0; i < count; ++i)
            scores[first + i] = static_cast<float>(sums[i] + (bias + double{biases_[first + i]}));
    }
}

std::size_t best(std::span<const float> scores, std::span<const char> skip, std::vector<Ranked>& candidates,
                 std::span<Ranked> ranked) {
    candidates.clear();
    for (std::size_t item = 0; item < scores.size(); ++item) {
        if (!skip[item]) candidates.push_back({scores[item], static_cast<VertexId>(item)});
    }
    const auto count = std::min(ranked.size(), candidates.size());
    const auto better = [](const Ranked& a, const Ranked& b) {
        return a.score != b.score ? a.score > b.score : a.item < b.item;
    };
    const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(candidates.begin(), last, candidates.end(), better);
    std::sort(candidates.begin(), last, better);
    std::copy(candidates.begin(), last, ranked.begin());
    return count;
}

}  // namespace lockstep::predict
