#include "apps/als/ranking.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lockstep/executor/pack.hpp"

namespace lockstep::als {

namespace {

/// Number of users whose scores are computed together, in two SIMD registers.
constexpr std::size_t users_at_once = 16;
constexpr VertexId block = 256;  ///< number of items whose scores for these users fit in a cache

/// The recommended items of one user: those with the highest scores so far. Of items with equal scores, the
/// first ones are kept.
class List {
public:
    List() { clear(); }
    void clear() { size_ = 0; }
    void add(float score, VertexId item) {
        if (size_ == list_length && !(score > best_[size_ - 1].first)) return;
        std::size_t at = size_ < list_length ? size_++ : size_ - 1;
        for (; at > 0 && score > best_[at - 1].first; --at) best_[at] = best_[at - 1];
        best_[at] = {score, item};
    }
    /// Returns the recall and the NDCG of the recommended items. `wanted` are the held-out items of the user,
    /// sorted.
    std::pair<double, double> worth(std::span<const VertexId> wanted) const {
        double hits = 0, gain = 0, most = 0;
        for (std::size_t place = 0; place < list_length; ++place) {
            const double discounted = 1 / std::log2(static_cast<double>(place) + 2);
            if (place < wanted.size()) most += discounted;
            if (place < size_ && std::binary_search(wanted.begin(), wanted.end(), best_[place].second))
                ++hits, gain += discounted;
        }
        return {hits / static_cast<double>(wanted.size()), gain / most};
    }

private:
    std::size_t size_;
    std::pair<float, VertexId> best_[list_length];
};

/// The memory of one thread, allocated before the threads start.
struct Scratch {
    /// Factors of the users that are scored together (rank x `users_at_once`), and their scores for one block
    /// of items (block x `users_at_once`).
    std::vector<float> panel, scores;
    std::vector<VertexId> wanted[users_at_once];
    EdgeId next[users_at_once];
    List lists[users_at_once];
    std::pair<double, double> worth[users_at_once];
};

/// Computes the scores of four items for all users whose factors are in `panel`.
void score(const float* const (&items)[4], std::uint32_t rank, const float* panel, float* scores) {
    Pack sum[4][2];
    for (auto& of : sum) of[0] = of[1] = Pack::all(0);
    for (std::uint32_t j = 0; j < rank; ++j) {
        const Pack low = Pack::load(panel + j * users_at_once),
                   high = Pack::load(panel + j * users_at_once + 8);
        for (int i = 0; i < 4; ++i) {
            const Pack item = Pack::all(items[i][j]);
            sum[i][0] = fused_multiply_add(item, low, sum[i][0]),
            sum[i][1] = fused_multiply_add(item, high, sum[i][1]);
        }
    }
    for (int i = 0; i < 4; ++i)
        for (int h = 0; h < 2; ++h)
            sum[i][h].store(scores + static_cast<std::size_t>(i) * users_at_once +
                            static_cast<std::size_t>(h) * 8);
}

/// Computes the lists of recommended items of up to `users_at_once` users, and their recall and NDCG.
class Users {
public:
    Users(const Problem& problem, const Factors& factors, Scratch& scratch)
        : problem_(problem), factors_(factors), stride_(sgd::stride_of(problem.settings.rank)), s_(scratch) {}

    void rank(std::span<const std::span<const Triple>> wanted) {
        const std::uint32_t rank = problem_.settings.rank;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const VertexId u = wanted[i][0].row;
            for (std::uint32_t j = 0; j < rank; ++j)
                s_.panel[j * users_at_once + i] = factors_.row[u * stride_ + j];
            s_.lists[i].clear(), s_.next[i] = problem_.rows.first[u], s_.wanted[i].clear();
            for (const Triple& t : wanted[i]) s_.wanted[i].push_back(t.col);
            std::sort(s_.wanted[i].begin(), s_.wanted[i].end());
            s_.wanted[i].erase(std::unique(s_.wanted[i].begin(), s_.wanted[i].end()), s_.wanted[i].end());
        }
        const VertexId items = problem_.cols.size();
        for (VertexId first = 0; first < items; first += block) {
            const VertexId count = std::min(block, items - first);
            score_block(first, count);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                leave_out(i, wanted[i][0].row, first, count);
                for (VertexId v = 0; v < count; ++v)
                    s_.lists[i].add(s_.scores[v * users_at_once + i], first + v);
            }
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) s_.worth[i] = s_.lists[i].worth(s_.wanted[i]);
    }

private:
    void score_block(VertexId first, VertexId count) {
        for (VertexId v = 0; v < count; v += 4) {
            const float* at[4];
            for (VertexId i = 0; i < 4; ++i)
                at[i] = factors_.col.data() + (first + std::min(v + i, count - 1)) * stride_;
            score(at, problem_.settings.rank, s_.panel.data(), s_.scores.data() + v * users_at_once);
        }
    }
    /// Removes the items of a user's training edges from the candidates, except items that are held out as
    /// well.
    void leave_out(std::size_t i, VertexId user, VertexId first, VertexId count) {
        const Side& rows = problem_.rows;
        for (EdgeId& e = s_.next[i]; e < rows.first[user + std::size_t{1}] && rows.ends[e] < first + count;
             ++e) {
            if (!std::binary_search(s_.wanted[i].begin(), s_.wanted[i].end(), rows.ends[e]))
                s_.scores[(rows.ends[e] - first) * users_at_once + i] =
                    -std::numeric_limits<float>::infinity();
        }
    }

    const Problem& problem_;
    const Factors& factors_;
    std::size_t stride_;
    Scratch& s_;
};

}  // namespace

Ranking::Ranking(const Problem& problem, std::span<const Triple> test, int threads)
    : problem_(problem), test_(test), threads_(threads) {
    for (std::size_t i = 0; i < test.size(); ++i) {
        if (i == 0 || test[i].row != test[i - 1].row) first_.push_back(i);
    }
    first_.push_back(test.size());
}

Quality Ranking::measure(const Factors& factors, std::size_t most) const {
    const std::size_t all = first_.size() - 1, users = std::min(all, most);
    Scratch empty{};
    empty.panel.resize(problem_.settings.rank * users_at_once), empty.scores.resize(block * users_at_once);
    std::vector<Scratch> scratch(static_cast<std::size_t>(threads_), empty);
    for (Scratch& s : scratch)
        for (auto& wanted : s.wanted) wanted.reserve(problem_.cols.size());
    std::vector<std::pair<double, double>> worth(users);
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (std::size_t begin = 0; begin < users; begin += users_at_once) {
        const std::size_t count = std::min(users_at_once, users - begin);
        std::span<const Triple> wanted[users_at_once];
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t user = (begin + i) * all / users;
            wanted[i] = test_.subspan(first_[user], first_[user + 1] - first_[user]);
        }
        Scratch& own = scratch[static_cast<std::size_t>(omp_get_thread_num())];
        Users(problem_, factors, own).rank(std::span(wanted).first(count));
        std::copy_n(own.worth, count, worth.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    Quality sum;
    for (const auto& [recall, ndcg] : worth) sum.recall += recall, sum.ndcg += ndcg;
    sum.users = users;
    if (users) sum.recall /= static_cast<double>(users), sum.ndcg /= static_cast<double>(users);
    return sum;
}

}  // namespace lockstep::als
