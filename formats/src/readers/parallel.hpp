// Parallel loops, a parallel sort and a pipeline on OpenMP threads. An exception in any thread is rethrown in
// the calling thread.
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

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::readers {

/// Calls body(0), …, body(count - 1) on all OpenMP threads, in any order.
template <class Body>
void parallel_for(std::size_t count, Body body) {
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (std::size_t i = 0; i < count; ++i) errors.run([&] { body(i); });
    errors.rethrow();
}

/// Sorts like std::sort, on all OpenMP threads: sorts slices, then merges them in pairs.
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

/// Runs a pipeline on all OpenMP threads. Each thread constructs its own worker with make_worker(). It then
/// fetches jobs with take(job), which returns false at the end, and calls worker(job) for them. take() and
/// commit(result) are called by one thread at a time, in the order of the jobs. The outcome does not depend
/// on the number of threads: the first error in the order of the jobs is thrown, and no later result is
/// committed.
template <class Job, class Take, class MakeWorker, class Commit>
void run_pipeline(Take take, MakeWorker make_worker, Commit commit) {
    using Worker = decltype(make_worker());
    using Outcome =
        std::variant<std::exception_ptr, decltype(std::declval<Worker&>()(std::declval<const Job&>()))>;
    std::mutex taking, committing;
    bool exhausted = false;            // whether all jobs were taken
    std::atomic<bool> failed = false;  // whether no more jobs are needed, because of an error
    std::size_t taken = 0, committed = 0;
    std::map<std::size_t, Outcome> waiting;  // results of jobs of which an earlier job is not committed yet
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
                failed = true;
            }
        }
    };
    const auto take_part = [&] {
        Worker worker = make_worker();
        for (Job job;;) {
            std::size_t number = 0;
            Outcome outcome;
            try {
                std::unique_lock lock(taking);
                if (exhausted || failed) return;
                number = taken++;
                exhausted = true;  // remains so if take() throws
                exhausted = !take(job);
                if (exhausted) return;
                lock.unlock();
                outcome = worker(std::as_const(job));
            } catch (...) {  // all earlier jobs have been taken
                outcome = std::current_exception();
                failed = true;
            }
            settle(number, std::move(outcome));
        }
    };
#pragma omp parallel
    try {
        take_part();
    } catch (...) {  // memory was exhausted outside of take(), worker() and commit()
        const std::lock_guard lock(committing);
        failure = std::current_exception();
        failed = true;
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace lockstep::readers
