#include "ranks/mpi.hpp"

#if defined(LOCKSTEP_HAS_MPI)
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#endif

namespace lockstep {

#if defined(LOCKSTEP_HAS_MPI)
namespace {

/// Maximum time that a failed process waits until the other processes receive its error.
constexpr std::chrono::seconds patience{10};

/// Returns a count as an int, as MPI requires. Throws if it is too large.
int count_of(std::size_t n) { return checked_cast<int>(n, "elements that one process sends to another"); }

class MpiRanks final : public Ranks {
public:
    MpiRanks() {
        int level = 0;
        // Waiting processes of Open MPI spin by default. If there are more processes than processors, or
        // other programs run, spinning processes would delay the processes that they wait for (20 s instead
        // of 2.6 s in our tests).
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm host = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
        MPI_Comm_rank(host, &on_host_);
        MPI_Comm_free(&host);
    }
    ~MpiRanks() override { MPI_Finalize(); }

    void barrier() override {
        int failed = count_;
        MPI_Request barrier_request = begin_barrier(failed);
        MPI_Wait(&barrier_request, MPI_STATUS_IGNORE);
        if (failed < count_) receive_error(failed);
    }
    void fail(int exit_code, const std::string& message) override {
        int failed = rank_, done = 0;
        MPI_Request barrier_request = begin_barrier(failed);
        const auto end = std::chrono::steady_clock::now() + patience;
        for (MPI_Test(&barrier_request, &done, MPI_STATUS_IGNORE); !done;
             MPI_Test(&barrier_request, &done, MPI_STATUS_IGNORE)) {
            if (std::chrono::steady_clock::now() > end) {
                std::fprintf(stderr, "lockstep: %s%s\n", prefix().c_str(), message.c_str());
                MPI_Abort(MPI_COMM_WORLD, exit_code);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (failed != rank_) receive_error(failed);
        broadcast_error(rank_, exit_code, prefix() + message);
    }

    using Ranks::sum, Ranks::exclusive_sum, Ranks::all_to_all;
    void sum(std::span<EdgeId> values) override { reduce(values, MPI_UINT64_T); }
    void sum(std::span<double> values) override { reduce(values, MPI_DOUBLE); }
    void exclusive_sum(std::span<EdgeId> values) override {
        barrier();
        MPI_Exscan(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_UINT64_T, MPI_SUM,
                   MPI_COMM_WORLD);
        if (first()) std::ranges::fill(values, 0);  // MPI leaves the values of the first process undefined
    }
    double most(double value) override {
        barrier();
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        return value;
    }
    void broadcast(std::span<std::byte> bytes, int from) override {
        barrier();
        in_pieces(bytes, [&](std::span<std::byte> piece) {
            MPI_Bcast(piece.data(), count_of(piece.size()), MPI_BYTE, from, MPI_COMM_WORLD);
        });
    }
    void shift(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override {
        barrier();
        // Both processes of a pair divide the data into pieces of the same size, although a process may send
        // and receive different amounts of data.
        std::vector<MPI_Request> requests;
        in_pieces(in, [&](std::span<std::byte> piece) {
            MPI_Irecv(piece.data(), count_of(piece.size()), MPI_BYTE, from, 0, MPI_COMM_WORLD,
                      &requests.emplace_back());
        });
        in_pieces(out, [&](std::span<const std::byte> piece) {
            MPI_Isend(piece.data(), count_of(piece.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD,
                      &requests.emplace_back());
        });
        MPI_Waitall(count_of(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
    std::vector<std::vector<std::byte>> all_to_all(std::vector<std::vector<std::byte>> out) override {
        barrier();
        std::vector<EdgeId> sizes(out.size()), coming(out.size());
        std::ranges::transform(out, sizes.begin(), [](const auto& bytes) { return bytes.size(); });
        MPI_Alltoall(sizes.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
        std::vector<std::vector<std::byte>> in(out.size());
        // exchanges data with one process at a time, so that no process receives from all others concurrently
        for (int ahead = 0; ahead < count_; ++ahead) {
            const int to = (rank_ + ahead) % count_, from = (rank_ + count_ - ahead) % count_;
            auto& bytes = in[static_cast<std::size_t>(from)];
            bytes.resize(coming[static_cast<std::size_t>(from)]);
            shift(out[static_cast<std::size_t>(to)], to, bytes, from);
            out[static_cast<std::size_t>(to)] = {};
        }
        return in;
    }

private:
    /// Starts the barrier. When it completes, `failed` is the lowest rank among the processes that have
    /// failed.
    static MPI_Request begin_barrier(int& failed) {
        MPI_Request barrier_request = MPI_REQUEST_NULL;
        MPI_Iallreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &barrier_request);
        return barrier_request;
    }
    template <class T>
    void reduce(std::span<T> values, MPI_Datatype type) {
        barrier();
        in_pieces(values, [&](std::span<T> piece) {
            MPI_Allreduce(MPI_IN_PLACE, piece.data(), count_of(piece.size()), type, MPI_SUM, MPI_COMM_WORLD);
        });
    }
    template <class T, class Run>
    static void in_pieces(std::span<T> all, Run run) {
        constexpr std::size_t most = std::size_t{1} << 30;
        for (std::size_t at = 0; at < all.size(); at += most)
            run(all.subspan(at, std::min(most, all.size() - at)));
    }
    std::string prefix() const {
        char host[256] = {};
        gethostname(host, sizeof host - 1);
        return "process " + std::to_string(rank_) + " of " + std::to_string(count_) + " (" + host + "): ";
    }
    /// Receives the error of the process `failed`, and throws it as an exception.
    void receive_error(int failed) { broadcast_error(failed, 0, {}); }
    /// Broadcasts the error of the process `from` to all processes. Throws RankFailure in all processes
    /// except `from`.
    void broadcast_error(int from, int exit_code, std::string message) {
        int head[2] = {exit_code, count_of(message.size())};
        MPI_Bcast(head, 2, MPI_INT, from, MPI_COMM_WORLD);
        message.resize(static_cast<std::size_t>(head[1]));
        MPI_Bcast(message.data(), head[1], MPI_CHAR, from, MPI_COMM_WORLD);
        if (from != rank_) throw RankFailure(head[0], message);
    }
};

}  // namespace

std::unique_ptr<Ranks> make_mpi_ranks() { return std::make_unique<MpiRanks>(); }
#else
std::unique_ptr<Ranks> make_mpi_ranks() {
    throw Error(
        Failure::usage,
        std::string("this program was started as several processes, but built without MPI, so each would do "
                    "the whole run; start one process, or configure with -DLOCKSTEP_MPI=ON; ") +
            launched_alone);
}
#endif

}  // namespace lockstep
