// Loops over threads whose errors come out as exceptions.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::readers {

/// body(0) … body(count - 1) by the OpenMP team, in any order.
template <class Body>
void parallel_for(std::size_t count, Body body) {
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (std::size_t i = 0; i < count; ++i) {
        try {
            body(i);
        } catch (...) {
#pragma omp critical(lockstep_readers_failure)
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

/// std::sort by the OpenMP team: slices are sorted, then merged by pairs.
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

/// A pipeline over the OpenMP team: `take(job)` fetches the next job, false at the end; each thread works
/// with a `make_worker()` of its own; `commit(result)` receives what `worker(job)` gave. Jobs are taken
/// and committed one at a time and in order, so that what happens does not depend on the threads: the
/// first error in the order of the jobs is thrown, and nothing after it is committed.
template <class Job, class Take, class MakeWorker, class Commit>
void run_pipeline(Take take, MakeWorker make_worker, Commit commit) {
    using Worker = decltype(make_worker());
    using Result = decltype(std::declval<Worker&>()(std::declval<const Job&>()));
    using Outcome = std::variant<std::exception_ptr, Result>;
    std::mutex taking, committing;
    std::atomic<bool> ended = false;
    std::size_t taken = 0, committed = 0;
    std::map<std::size_t, Outcome> waiting;  // for the commitment of jobs before them
    std::exception_ptr failure;
#pragma omp parallel
    {
        Worker worker = make_worker();
        Job job;
        for (;;) {
            std::size_t number = 0;
            Outcome outcome;
            try {
                {
                    const std::lock_guard lock(taking);
                    if (ended) break;
                    number = taken++;
                    if (!take(job)) ended = true;
                    if (ended) break;
                }
                outcome = worker(std::as_const(job));
            } catch (...) {
                outcome = std::current_exception();
                ended = true;
            }
            const std::lock_guard lock(committing);
            waiting.emplace(number, std::move(outcome));
            while (!failure && !waiting.empty() && waiting.begin()->first == committed) {
                Outcome next = std::move(waiting.extract(waiting.begin()).mapped());
                ++committed;
                try {
                    if (const auto* error = std::get_if<std::exception_ptr>(&next))
                        std::rethrow_exception(*error);
                    commit(std::get<Result>(std::move(next)));
                } catch (...) {
                    failure = std::current_exception();
                    ended = true;
                }
            }
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace lockstep::readers
