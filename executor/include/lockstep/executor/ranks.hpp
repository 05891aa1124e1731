// The processes that work together on one run, started by mpirun, and their communication.
//
// All processes run the same program and make the same calls in the same order; each has a part of the data.
// If a process fails, the others get a RankFailure at their next call. So no process waits forever, and only
// one process reports the error. The class Ranks itself represents a single process, for which all calls are
// trivial. executor/ranks/mpi.cpp implements several processes; no other file uses MPI.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Returns how many processes a launcher, such as mpirun, has started, according to the environment
/// variables; 1 without a launcher. Child processes inherit these variables.
int launched();
/// Advice in error messages, for the case that only one process should run.
inline constexpr const char* launched_alone =
    "if a process of mpirun has started this single process, unset OMPI_COMM_WORLD_SIZE and PMI_SIZE";

/// The exception that a process gets if another process of the run has failed.
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
    /// Returns true for the process that prints reports and writes all files.
    bool first() const { return rank_ == 0; }
    int on_host() const { return on_host_; }  ///< index of this process among the processes of its host
    /// Returns the first index of the part of process `rank`, if `size` items are divided among the
    /// processes. The part of process r is [share(size, r), share(size, r + 1)).
    EdgeId share(EdgeId size, int rank) const {
        return size * static_cast<EdgeId>(rank) / static_cast<EdgeId>(count_);
    }

    // The following calls are collective: all processes must make them. Each of them throws RankFailure if
    // another process has failed.
    /// Barrier: returns when all processes have called it.
    virtual void barrier() {}
    /// Sums the values over all processes, element by element. For floating-point values, at most one process
    /// may have a value other than 0 in an element, so that the sum is exact.
    virtual void sum(std::span<EdgeId>) {}
    virtual void sum(std::span<double>) {}
    /// Exclusive prefix sum: replaces each value by the sum of the values of all processes with lower ranks.
    virtual void exclusive_sum(std::span<EdgeId> values) {
        for (EdgeId& value : values) value = 0;
    }
    /// Returns the maximum of `value` over all processes.
    virtual double most(double value) { return value; }
    /// Copies the bytes of process `from` to all processes.
    virtual void broadcast(std::span<std::byte>, int /*from*/) {}
    /// Sends `out` to process `to` and receives `in` from process `from`.
    virtual void shift(std::span<const std::byte> /*out*/, int /*to*/, std::span<std::byte> /*in*/,
                       int /*from*/) {}
    /// All-to-all: sends out[r] to process r. Returns the data received, indexed by the sending process.
    virtual std::vector<std::vector<std::byte>> all_to_all(std::vector<std::vector<std::byte>> out) {
        return out;
    }
    /// Reports that this process has failed. Waits a few seconds for the other processes to notice it, and
    /// aborts the processes that do not. Throws RankFailure if a process with a lower rank has also failed.
    virtual void fail(int /*exit_code*/, const std::string& /*message*/) {}

    EdgeId sum(EdgeId value) {
        sum(std::span(&value, 1));
        return value;
    }
    EdgeId exclusive_sum(EdgeId value) {
        exclusive_sum(std::span(&value, 1));
        return value;
    }
    /// Broadcasts the value of process `from`, and returns it in all processes.
    template <class T>
    T broadcast_value(T value, int from = 0) {
        broadcast(std::as_writable_bytes(std::span(&value, 1)), from);
        return value;
    }
    /// Calls work(value) in one process after another, each with the value that the previous process has
    /// left. Returns the last value in all processes.
    template <class T, class Work>
    T in_turn(T value, Work work) {
        for (int r = 0; r < count_; ++r) {
            if (r == rank_) work(value);
            value = broadcast_value(value, r);
        }
        return value;
    }
    /// All-to-all of typed values: sends out[r] to process r. Returns the values received, indexed by the
    /// sending process.
    template <class T>
    std::vector<std::vector<T>> all_to_all(const std::vector<std::vector<T>>& out) {
        std::vector<std::vector<std::byte>> bytes;
        for (const auto& values : out) {
            const auto there = std::as_bytes(std::span(values));
            bytes.emplace_back(there.begin(), there.end());
        }
        bytes = all_to_all(std::move(bytes));
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

/// Returns the processes of this run. Until work_as() is called, this is a single process.
Ranks& ranks();
/// Sets the processes that ranks() returns; nullptr restores the single process. `all` must outlive every use
/// of ranks().
void work_as(Ranks* all);

}  // namespace lockstep
