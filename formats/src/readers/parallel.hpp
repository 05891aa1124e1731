// Loops over threads whose errors are rethrown as exceptions in the calling thread.
#pragma once

#include <omp.h>

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::readers {

/// Runs body(0) … body(count - 1) on the OpenMP team, in any order.
template <class Body>
void parallel_for(std::size_t count, Body body) {
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (std::size_t i = 0; i < count; ++i) errors.run([&] { body(i); });
    errors.rethrow();
}

/// Sorts like std::sort, on the OpenMP team: slices are sorted, then merged pairwise.
template <class T, class Less>
void parallel_sort(std::vector<T>& items, Less less) {
    const std::size_t slices = std::bit_ceil(static_cast<std::size_t>(omp_get_max_threads()));
    const auto bound = [&](std::size_t slice) {
        return items.begin() + static_cast<std::ptrdiff_t>(items.size() * slice / slices);
    };
    parallel_for(slices, [&](std::size_t i) { std::sort(bound(i), bound(i + 1), less); });
    for (std::size_t width = 1; width < slices; width *= 2) {
        parallel_for(slices / (2 * width), [&](std::size_t i) {
            const std::size_t at = 2 * width * i;
            std::inplace_merge(bound(at), bound(at + width), bound(at + 2 * width), less);
        });
    }
}

/// A pipeline on the OpenMP team. The first thread fetches jobs by `take(job)`, which returns false at the
/// end. It fetches some jobs in advance and processes jobs like the others when enough are queued. Each
/// thread has its own `make_worker()` and calls `worker(job)`. `commit(result)` receives the results one at a
/// time, in the order of the jobs. So the outcome does not depend on the threads: the first error in the
/// order of the jobs is thrown, and no later result is committed.
template <class Job, class Take, class MakeWorker, class Commit>
void run_pipeline(Take take, MakeWorker make_worker, Commit commit) {
    using Worker = decltype(make_worker());
    using Outcome =
        std::variant<std::exception_ptr, decltype(std::declval<Worker&>()(std::declval<const Job&>()))>;
    struct Numbered {
        std::size_t number = 0;
        Job job;
    };
    std::mutex queueing, committing;
    std::condition_variable changed;
    std::deque<Numbered> queue;
    std::vector<Job> spare;  // finished jobs, whose memory is reused
    bool ended = false;      // no more jobs will be fetched
    std::size_t taken = 0, committed = 0;
    std::map<std::size_t, Outcome> waiting;  // results that wait until all earlier jobs are committed
    std::exception_ptr failure;
    const auto settle = [&](std::size_t number, Outcome outcome) {
        const std::lock_guard lock(committing);
        waiting.emplace(number, std::move(outcome));
        while (!failure && !waiting.empty() && waiting.begin()->first == committed) {
            const Outcome next = std::move(waiting.extract(waiting.begin()).mapped());
            ++committed;
            try {
                if (next.index() == 0) std::rethrow_exception(std::get<0>(next));
                commit(std::get<1>(next));
            } catch (...) {
                failure = std::current_exception();
            }
        }
        return !failure;
    };
    const auto take_part = [&] {
        const bool fetches = omp_get_thread_num() == 0;
        const auto ahead = 2 * static_cast<std::size_t>(omp_get_num_threads()) - 1;
        Worker worker = make_worker();
        std::unique_lock lock(queueing);
        for (;;) {
            while (fetches && !ended && queue.size() < ahead) {
                Numbered next{taken++, {}};
                if (!spare.empty()) {
                    next.job = std::move(spare.back());
                    spare.pop_back();
                }
                lock.unlock();
                bool more = false;
                try {
                    more = take(next.job);
                } catch (...) {
                    settle(next.number, std::current_exception());
                }
                lock.lock();
                if (!more) ended = true;
                if (more && !ended) queue.push_back(std::move(next));
                changed.notify_all();
            }
            changed.wait(lock, [&] { return ended || !queue.empty(); });
            if (queue.empty()) break;
            Numbered own = std::move(queue.front());
            queue.pop_front();
            lock.unlock();
            bool good = false;
            try {
                good = settle(own.number, worker(std::as_const(own.job)));
            } catch (...) {
                settle(own.number, std::current_exception());
            }
            lock.lock();
            spare.push_back(std::move(own.job));
            if (!good) {  // all queued jobs come later in the order
                ended = true;
                queue.clear();
                changed.notify_all();
            }
        }
    };
#pragma omp parallel
    try {
        take_part();
    } catch (...) {  // out of memory for a job or for its result
        {
            const std::lock_guard lock(committing);
            failure = std::current_exception();
        }
        const std::lock_guard lock(queueing);
        ended = true;
        queue.clear();
        changed.notify_all();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace lockstep::readers
