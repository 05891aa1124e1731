// The processes that work on one run together, started by mpirun: what they tell each other.
//
// All of them run the same program and come to the same calls in the same order; each has a part of the data.
// Where one fails, the others learn it at their next call here, so that none waits for it, and one of them
// alone says what was wrong. The class is a single process, of which every call is trivial; several are in
// executor/ranks/mpi.cpp, which alone knows MPI.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Returns how many processes a launcher, such as mpirun, says in the environment that it has started; 1 without one.
/// What they start hears the same.
int launched();
/// What to do if there is none.
inline constexpr const char* launched_alone =
    "where a process of mpirun has started this one alone, unset OMPI_COMM_WORLD_SIZE and PMI_SIZE";

/// Another process of the run has failed.
class RankFailure : public Error {
public:
    RankFailure(int exit_code, const std::string& message)
        : Error(static_cast<Failure>(exit_code), message), code_(exit_code) {}
    int exit_code() const noexcept { return code_; }

private:
    int code_;
};

class Ranks {
public:
    Ranks() = default;
    virtual ~Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int count() const { return count_; }
    int rank() const { return rank_; }
    /// The one that reports, and writes all files.
    bool first() const { return rank_ == 0; }
    int on_host() const { return on_host_; }  ///< its number among those of its host
    /// The part of `size` things that a process has: [share(size, r), share(size, r + 1)).
    EdgeId share(EdgeId size, int rank) const {
        return size * static_cast<EdgeId>(rank) / static_cast<EdgeId>(count_);
    }

    // Calls of all processes. Each throws RankFailure where another one has failed.
    /// Nothing more.
    virtual void meet() {}
    /// Entry by entry, over all processes; floating point where no two have an entry other than 0, so that
    /// the sum is exact.
    virtual void sum(std::span<EdgeId>) {}
    virtual void sum(std::span<double>) {}
    /// The same over those before this one.
    virtual void sum_before(std::span<EdgeId> values) {
        for (EdgeId& value : values) value = 0;
    }
    virtual double most(double value) { return value; }
    /// Copies the bytes of process `from` to all processes.
    virtual void broadcast(std::span<std::byte>, int /*from*/) {}
    /// Gives `out` to one process and gets `in` from another.
    virtual void shift(std::span<const std::byte> /*out*/, int /*to*/, std::span<std::byte> /*in*/,
                       int /*from*/) {}
    /// [r] for process r; returns what each has for this one.
    virtual std::vector<std::vector<std::byte>> deal(std::vector<std::vector<std::byte>> out) { return out; }
    /// This process has failed. Waits a while for the others to hear of it, and ends them where they don't.
    /// Throws RankFailure where one of a lower number has failed, too.
    virtual void fail(int /*exit_code*/, const std::string& /*message*/) {}

    EdgeId sum(EdgeId value) {
        sum(std::span(&value, 1));
        return value;
    }
    EdgeId sum_before(EdgeId value) {
        sum_before(std::span(&value, 1));
        return value;
    }
    template <class T>
    T told(T value, int from = 0) {
        broadcast(std::as_writable_bytes(std::span(&value, 1)), from);
        return value;
    }
    /// work(value) in one process after another, each going on with the value of the one before.
    template <class T, class Work>
    T in_turn(T value, Work work) {
        for (int r = 0; r < count_; ++r) {
            if (r == rank_) work(value);
            value = told(value, r);
        }
        return value;
    }
    template <class T>
    std::vector<std::vector<T>> deal(const std::vector<std::vector<T>>& out) {
        std::vector<std::vector<std::byte>> bytes;
        for (const auto& values : out) {
            const auto there = std::as_bytes(std::span(values));
            bytes.emplace_back(there.begin(), there.end());
        }
        bytes = deal(std::move(bytes));
        std::vector<std::vector<T>> in;
        for (auto& received : bytes) {
            const T* const first = reinterpret_cast<const T*>(received.data());
            in.emplace_back(first, first + received.size() / sizeof(T));
            received = {};
        }
        return in;
    }

protected:
    int count_ = 1, rank_ = 0, on_host_ = 0;
};

/// Those of this process, as many as mpirun has started: one, until work_as() says otherwise.
Ranks& ranks();
/// nullptr: this process alone again. `all` must outlive every call of ranks().
void work_as(Ranks* all);

}  // namespace lockstep
