#include "ratings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli.hpp"
#include "random.hpp"

namespace lockstep::generate {
namespace {

void check(const RatingsShape& shape) {
    const auto& [users, items, edges, most] = shape;
    const auto refuse = [](const std::string& message) { throw cli::UsageError(message); };
    if (most == 0 || most > users) {
        refuse(fmt::format(
            "--max-degree {} must be from 1 to --users {}, because a user rates an item at most once", most,
            users));
    }
    if (edges < users)
        refuse(fmt::format("--edges {} is too small: each of the {} users has at least one rating", edges,
                           users));
    if (edges < most + items - 1) {
        refuse(
            fmt::format("--edges {} is too small: the item with the maximum degree has {} ratings and each "
                        "other item at least one, {} in total",
                        edges, most, most + items - 1));
    }
    if (edges > most * items) {
        refuse(fmt::format("--edges {} is too large: {} items with at most {} ratings each have at most {}",
                           edges, items, most, most * items));
    }
}

/// Returns a random permutation of 0 … count - 1.
std::vector<VertexId> shuffled_ids(VertexId count, std::uint64_t seed, Stream stream) {
    std::vector<VertexId> ids(count);
    std::iota(ids.begin(), ids.end(), VertexId{0});
    shuffle(ids, Sequence(seed, stream), cli::check_signal);
    return ids;
}

/// Gives every user without a rating one random rating of a user who has at least two.
void cover_users(std::vector<Pair>& pairs, VertexId users, Sequence random) {
    std::vector<EdgeId> degree(users);
    for (const Pair& pair : pairs) ++degree[pair.row];
    for (VertexId user = 0; user < users; ++user) {
        while (degree[user] == 0) {
            Pair& pair = pairs[random.below(pairs.size())];
            if (degree[pair.row] < 2) continue;
            --degree[pair.row];
            pair.row = user;
            degree[user] = 1;
        }
    }
}

/// Returns noise that is approximately normal: the sum of 16 uniform half-words, with mean 0 and deviation 1,
/// exact in integers.
double noise_at(const Random& random, std::uint64_t position) {
    std::uint32_t sum = 0;
    for (std::uint32_t part = 0; part < 2; ++part) {
        for (const std::uint32_t word : random(position, part)) sum += (word & 0xFFFF) + (word >> 16);
    }
    const double deviation = std::sqrt(16.0 * (65536.0 * 65536.0 - 1) / 12);
    return (static_cast<double>(sum) - 16 * 32767.5) / deviation;
}

/// Returns factors that are uniform in [-width, width).
std::vector<float> uniform_factors(VertexId count, std::uint32_t rank, double width, const Random& random) {
    std::vector<float> factors(std::size_t{count} * rank);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] = static_cast<float>(width * (random(i / 4)[i % 4] * 0x1p-31 - 1));
    }
    return factors;
}

}  // namespace

std::vector<EdgeId> item_degrees(const RatingsShape& shape) {
    check(shape);
    const auto most = static_cast<double>(shape.max_degree);
    std::vector<EdgeId> degrees(shape.items);
    const auto fill = [&](double c) {
        EdgeId sum = 0;
        for (std::size_t rank = 0; rank < degrees.size(); ++rank) {
            const double degree = most * c / (static_cast<double>(rank) + c);
            degrees[rank] = rank == 0 ? shape.max_degree : std::max(EdgeId{1}, static_cast<EdgeId>(degree));
            sum += degrees[rank];
        }
        return sum;
    };
    double low = 0, high = most * shape.items + 1;
    for (double middle = high / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
        (fill(middle) <= shape.edges ? low : high) = middle;
    }
    EdgeId missing = shape.edges - fill(low);
    // Distributes the rounding error: one more rating per item, from the second item on.
    while (missing > 0) {
        for (std::size_t rank = 1; rank < degrees.size() && missing > 0; ++rank) {
            if (degrees[rank] < shape.max_degree) ++degrees[rank], --missing;
        }
    }
    std::sort(degrees.begin(), degrees.end(), std::greater<>());
    return degrees;
}

std::vector<Pair> skewed_pairs(const RatingsShape& shape, std::uint64_t seed,
                               const std::function<void(EdgeId)>& step) {
    const std::vector<EdgeId> degrees = item_degrees(shape);
    const auto user_of_rank = shuffled_ids(shape.users, seed, Stream::user_names);
    const auto item_of_rank = shuffled_ids(shape.items, seed, Stream::item_names);
    constexpr EdgeId pause = EdgeId{1} << 16;

    std::vector<Pair> pairs;
    pairs.reserve(shape.edges);
    const VertexId users = shape.users;
    Sequence random(seed, Stream::choice);
    // Last item for which the user of this rank was drawn.
    std::vector<VertexId> drawn_for(users, shape.items);
    const auto draw = [&](VertexId item, double (*rank_at)(double)) {
        for (;;) {
            const double place = users * rank_at(random.uniform());
            const VertexId rank = std::min(static_cast<VertexId>(place), users - 1);
            if (drawn_for[rank] == item) continue;
            drawn_for[rank] = item;
            return rank;
        }
    };
    for (VertexId item = 0; item < shape.items; ++item) {
        const VertexId name = item_of_rank[item];
        if (degrees[item] <= users / 2) {
            // Inverse of the cumulative weight (r / users)^(2/3).
            for (EdgeId i = 0; i < degrees[item]; ++i) {
                const VertexId rank = draw(item, [](double x) { return x * std::sqrt(x); });
                pairs.push_back({user_of_rank[rank], name});
                if ((pairs.size() & (pause - 1)) == 0) step(pairs.size());
            }
        } else {
            for (EdgeId i = users - degrees[item]; i > 0; --i)
                draw(item, [](double x) { return std::sqrt(x); });
            for (VertexId rank = 0; rank < users; ++rank) {
                if (drawn_for[rank] != item) pairs.push_back({user_of_rank[rank], name});
            }
            step(pairs.size());
        }
    }
    cover_users(pairs, users, Sequence(seed, Stream::cover));
    shuffle(pairs, Sequence(seed, Stream::order), cli::check_signal);
    return pairs;
}

PlantedRatings::PlantedRatings(VertexId users, VertexId items, const RatingsModel& model, std::uint64_t seed)
    : model_(model),
      seed_(seed),
      // The product of two factors, uniform in ±w and ±1, has variance w²/9; `rank` products are summed.
      row_factors_(uniform_factors(users, model.rank, 3 * model.deviation / std::sqrt(model.rank),
                                   Random(seed, Stream::row_factors))),
      col_factors_(uniform_factors(items, model.rank, 1, Random(seed, Stream::col_factors))) {}

float PlantedRatings::operator()(VertexId user, VertexId item) const {
    const float* p = row_factors_.data() + std::size_t{user} * model_.rank;
    const float* q = col_factors_.data() + std::size_t{item} * model_.rank;
    double rating = model_.mean;
    for (std::uint32_t k = 0; k < model_.rank; ++k) rating += double{p[k]} * double{q[k]};
    if (model_.noise > 0) {
        rating += model_.noise * noise_at(Random(seed_, Stream::noise), std::uint64_t{user} << 32 | item);
    }
    if (model_.scale) rating = std::clamp(rating, model_.scale->first, model_.scale->second);
    return static_cast<float>(rating);
}

}  // namespace lockstep::generate
