// Rounds over active vertices on a CPU. Of the axes, only `direction` applies (Beamer, Asanović, Patterson,
// "Direction-optimizing breadth-first search", SC 2012). In a push round, the active vertices are in a list;
// in a pull round, in a bitmap. Large rounds run on a team of threads, small rounds on one thread.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier {

/// Runs rounds of one operator on one plan. Its memory is reused by later traversals.
template <FrontierOperator Op>
class CpuRounds {
public:
    using Value = typename Op::Value;

    CpuRounds(const Expand& plan, const Axes& axes, const Op& op, int threads)
        : plan_(plan),
          op_(op),
          threads_(threads),
          share_(axes.direction == Direction::pull   ? -1
                 : axes.direction == Direction::push ? 2
                                                     : axes.share),
          values_(plan.vertices),
          stamps_(Op::by_rounds ? 0 : plan.vertices),
          list_(plan.vertices),
          next_list_(plan.vertices),
          bits_(axes.pulls() ? (EdgeId{plan.vertices} + word - 1) / word : 0),
          next_bits_(bits_.size()),
          found_(static_cast<std::size_t>(threads)) {}

    /// Runs a traversal from the vertex at position `source` (or from all vertices, if the operator has no
    /// source), and returns the value of each position.
    const Value* run(VertexId source, const std::function<bool()>& interrupted, std::vector<Round>& rounds) {
        round_ = 0;
        active_ = 1, arcs_ = degree(source);
        more_ = true;
        pulling_ = false;
#pragma omp parallel num_threads(threads_)
        {
            const int team = omp_get_num_threads(), me = omp_get_thread_num();
#pragma omp for schedule(static)
            for (VertexId v = 0; v < plan_.vertices; ++v) values_[v] = first_value(v);
            if constexpr (!Op::by_rounds) {
#pragma omp for schedule(static)
                for (VertexId v = 0; v < plan_.vertices; ++v) stamps_[v] = 0;
            }
            if constexpr (from_everywhere<Op>) list_active(team, me);
            if (me == 0) {
                if constexpr (!from_everywhere<Op>) values_[source] = op_.start(), list_[0] = source;
                pull_ = wants_pull();
                started_ = omp_get_wtime();
            }
#pragma omp barrier
            while (more_) {
                if (pull_ != pulling_) change_form(me);
                ThreadRoundCounts& mine = found_[static_cast<std::size_t>(me)];
                mine.clear();
                VertexId* const next_list = next_list_.data();
                const std::atomic<std::size_t>& listed = listed_[round_ % 2];
                const auto t = static_cast<EdgeId>(me), all = static_cast<EdgeId>(team);
                if (pull_)
                    process_chunks(plan_.vertices, 32 * word, [&](EdgeId a, EdgeId b) { pull(a, b, mine); });
                else if (active_ + arcs_ >= worth_drawing)
                    process_chunks(active_, 64, [&](EdgeId a, EdgeId b) { push(a, b, mine); });
                else if (active_ + arcs_ >= worth_a_team)
                    push(active_ * t / all, active_ * (t + 1) / all, mine);
                else if (me == 0)
                    push(0, active_, mine);
#pragma omp barrier
                // The threads' buffers are appended in the order of the threads. In the next round, each
                // thread then gets about the vertices that it has found, which are in its cache.
                std::size_t at = listed;
                for (int i = 0; i < me; ++i) at += found_[static_cast<std::size_t>(i)].held;
                std::copy_n(mine.buffer, mine.held, next_list + at);
                if (me == 0) alone_ = finish_round(rounds, team, interrupted);
#pragma omp barrier
                if (alone_) {
                    if (me == 0) {
                        do {
                            mine.clear();
                            push(0, active_, mine);
                            flush(mine);
                        } while (finish_round(rounds, 1, interrupted));
                    }
#pragma omp barrier
                }
            }
        }
        return values_.data();
    }

private:
    static constexpr VertexId word = 64;
    /// Minimum number of vertices plus arcs for which a round runs on all threads of the team.
    static constexpr EdgeId worth_a_team = 1024;
    /// Minimum number of vertices plus arcs for which threads claim small shares of a round, because a share
    /// with hubs takes longer. In a smaller round, each thread has one fixed share.
    static constexpr EdgeId worth_drawing = 32768;

    /// The vertices that a thread has found in a round for the next round, and the thread's counters.
    struct alignas(128) ThreadRoundCounts {
        EdgeId active = 0, arcs = 0;  ///< number of vertices of the next round, and of their out-arcs
        EdgeId looked = 0, tried = 0;
        std::size_t held = 0;
        VertexId buffer[512];
        void clear() { active = arcs = looked = tried = held = 0; }
    };

    EdgeId degree(VertexId v) const { return plan_.out.degree(v); }
    static float weight(const CsrView& lists, EdgeId e) { return Op::weighted ? lists.weight(e) : 1; }
    bool wants_pull() const { return static_cast<double>(arcs_) > share_ * static_cast<double>(plan_.arcs); }

    Value first_value(VertexId v) const {
        if constexpr (from_everywhere<Op>)
            return op_.start(v, degree(v));
        else
            return op_.none();
    }
    /// Makes the list of the initially active vertices, if the operator has no source. All threads must call
    /// it.
    void list_active(int team, int me) {
        ThreadRoundCounts& mine = found_[static_cast<std::size_t>(me)];
        mine.clear();
        process_chunks(plan_.vertices, 4096, [&](EdgeId a, EdgeId b) {
            for (auto v = static_cast<VertexId>(a); v < b; ++v) {
                if (!op_.active(values_[v])) continue;
                list(v, mine);
                ++mine.active, mine.arcs += degree(v);
            }
        });
        flush(mine);
#pragma omp barrier
        if (me > 0) return;
        active_ = arcs_ = 0;
        for (int i = 0; i < team; ++i) {
            active_ += found_[static_cast<std::size_t>(i)].active;
            arcs_ += found_[static_cast<std::size_t>(i)].arcs;
        }
        more_ = active_ > 0;
        list_.swap(next_list_);
        drawn_ = 0, listed_[0] = 0;
    }

    template <class Work>
    void process_chunks(EdgeId count, EdgeId chunk, Work work) {
        for (EdgeId at; (at = drawn_.fetch_add(chunk, std::memory_order_relaxed)) < count;)
            work(at, std::min(at + chunk, count));
    }

    /// Adds `v` to the list of the next round, through the buffer of the thread.
    void list(VertexId v, ThreadRoundCounts& mine) {
        if (mine.held == std::size(mine.buffer)) flush(mine);
        mine.buffer[mine.held++] = v;
    }
    void flush(ThreadRoundCounts& mine) {
        const std::size_t at = listed_[round_ % 2].fetch_add(mine.held, std::memory_order_relaxed);
        std::copy_n(mine.buffer, mine.held, next_list_.data() + at);
        mine.held = 0;
    }
    /// Returns true if this is the first call for `v` in this round.
    bool first(VertexId v) {
        if constexpr (Op::by_rounds)
            return true;  // because a vertex is improved only once
        else
            return std::atomic_ref(stamps_[v]).exchange(round_ + 1, std::memory_order_relaxed) != round_ + 1;
    }

    /// Pushes along the out-arcs of the elements [begin, end) of the list.
    void push(EdgeId begin, EdgeId end, ThreadRoundCounts& mine) {
        const CsrView out = plan_.out.view();
        for (; begin < end; ++begin) {
            const VertexId u = list_[begin];
            const Value value = peek(&values_[u]);
            const EdgeRange edges = out.edges_of(u);
            mine.looked += edges.size();
            for (const EdgeId e : edges) {
                const VertexId v = out.ends[e];
                const Value offered = op_.offer(value, weight(out, e));
                if (!take_offer(op_, &values_[v], offered) || !first(v)) continue;
                list(v, mine);
                ++mine.active;
                mine.arcs += out.degree(v);
            }
        }
    }

    /// Pulls along the in-arcs of the vertices [begin, end). The range consists of whole words of the
    /// bitmaps.
    void pull(EdgeId begin, EdgeId end, ThreadRoundCounts& mine) {
        const CsrView in = plan_.incoming().view();
        for (EdgeId w = begin / word; w * word < end; ++w) {
            std::uint64_t found = 0;
            for (EdgeId v = w * word; v < std::min(end, (w + 1) * word); ++v) {
                if (!op_.can_improve(values_[v])) continue;
                ++mine.tried;
                Value best = op_.none();
                const EdgeRange edges = in.edges_of(static_cast<VertexId>(v));
                EdgeId e = edges.first;
                while (e < edges.last) {
                    const VertexId u = in.ends[e++];
                    if (!(bits_[u / word] >> u % word & 1)) continue;
                    const Value offered = op_.offer(peek(&values_[u]), weight(in, e - 1));
                    if (offered < best) best = offered;
                    if (Op::by_rounds) break;
                }
                mine.looked += e - edges.first;
                if (!(best < values_[v])) continue;
                put(&values_[v], best);
                found |= std::uint64_t{1} << v % word;
                ++mine.active;
                mine.arcs += degree(static_cast<VertexId>(v));
            }
            next_bits_[w] = found;
        }
    }

    /// Converts the active vertices from the list to the bitmap, or from the bitmap to the list, when the
    /// direction changes. All threads must call it.
    void change_form(int me) {
        if (pull_) {
            process_chunks(bits_.size(), 4096,
                           [&](EdgeId a, EdgeId b) { std::fill(&bits_[a], &bits_[a] + (b - a), 0); });
#pragma omp barrier
            if (me == 0) drawn_ = 0;
#pragma omp barrier
            process_chunks(active_, 1024, [&](EdgeId a, EdgeId b) {
                for (; a < b; ++a)
                    std::atomic_ref(bits_[list_[a] / word])
                        .fetch_or(std::uint64_t{1} << list_[a] % word, std::memory_order_relaxed);
            });
        } else {
            ThreadRoundCounts& mine = found_[static_cast<std::size_t>(me)];
            mine.clear();
            process_chunks(bits_.size(), 256, [&](EdgeId a, EdgeId b) {
                for (; a < b; ++a) {
                    for (std::uint64_t set = bits_[a]; set; set &= set - 1)
                        list(static_cast<VertexId>(a * word + static_cast<unsigned>(__builtin_ctzll(set))),
                             mine);
                }
            });
            flush(mine);
        }
#pragma omp barrier
        if (me == 0) {
            if (!pull_) list_.swap(next_list_);
            drawn_ = 0, listed_[round_ % 2] = 0;
            pulling_ = pull_;
        }
#pragma omp barrier
    }

    /// Ends a round that ran on `team` threads. Only one thread calls it, between barriers. Returns true if
    /// the next round should run on one thread, because it has little work.
    bool finish_round(std::vector<Round>& rounds, int team, const std::function<bool()>& interrupted) {
        const double now = omp_get_wtime();
        Round round{now - started_, pull_, Filter::none, pull_ ? 0 : active_, 0};
        started_ = now;
        active_ = arcs_ = 0;
        for (int t = 0; t < team; ++t) {
            const ThreadRoundCounts& found = found_[static_cast<std::size_t>(t)];
            active_ += found.active, arcs_ += found.arcs;
            round.active += found.tried, round.arcs += found.looked;
        }
        rounds.push_back(round);
        if (pulling_)
            bits_.swap(next_bits_);
        else
            list_.swap(next_list_);
        ++round_;
        drawn_ = 0, listed_[round_ % 2] = 0;
        pull_ = wants_pull();
        more_ = active_ > 0 && !(interrupted && interrupted());
        return more_ && !pull_ && !pulling_ && active_ + arcs_ < worth_a_team;
    }

    const Expand& plan_;
    const Op op_;
    const int threads_;
    const double share_;
    Array<Value> values_;
    /// Next round in which each vertex is active.
    Array<std::uint32_t> stamps_;
    Array<VertexId> list_, next_list_;
    Array<std::uint64_t> bits_, next_bits_;
    std::vector<ThreadRoundCounts> found_;
    std::atomic<EdgeId> drawn_{0};
    /// Lengths of the list of this round and of the list of the next round, by the parity of the round.
    std::atomic<std::size_t> listed_[2]{};
    // The state of the current round. One thread changes it, between barriers.
    std::uint32_t round_ = 0;
    EdgeId active_ = 0, arcs_ = 0;
    /// Whether this round pulls, and whether its active vertices are in the bitmap already.
    bool pull_ = false, pulling_ = false;
    bool more_ = false, alone_ = false;
    double started_ = 0;
};

}  // namespace lockstep::frontier
