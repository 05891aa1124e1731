// Tests of pipes, FIFOs, folders and failing files: an input is opened once and read from its start.
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "lockstep/formats/input_file.hpp"
#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A pipe that a thread fills, with its path.
class Pipe {
public:
    explicit Pipe(const std::string& bytes) {
        int ends[2];
        std::signal(SIGPIPE, SIG_IGN);
        REQUIRE(pipe(ends) == 0);
        out_ = ends[0];
        writer_ = std::thread([bytes, in = ends[1]] {
            for (std::size_t done = 0; done < bytes.size();) {
                const ssize_t count = ::write(in, bytes.data() + done, bytes.size() - done);
                if (count < 0) break;
                done += static_cast<std::size_t>(count);
            }
            close(in);
        });
    }
    ~Pipe() {
        close(out_);
        writer_.join();
    }
    std::string path() const { return "/dev/fd/" + std::to_string(out_); }

private:
    int out_;
    std::thread writer_;
};

std::string many_lines() {
    std::string text;
    for (int i = 0; i < 40000; ++i)
        text += std::to_string(i * 7919 % 1009) + " " + std::to_string(i) + " 3\n";
    return text;
}

std::string error_of(const std::filesystem::path& path, const ReadOptions& options = {}) {
    try {
        read_dataset(path, options);
    } catch (const FormatError& e) {
        return e.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a pipe is read from its first byte, plain, compressed and archived") {
    const TemporaryFolder folder;
    const std::string text = many_lines();
    const Graph plain = read_text(text).graph;
    check_same_graph(read_dataset(Pipe(text).path()).graph, plain);
    for (const auto& [format, filter] : std::vector<std::pair<const char*, const char*>>{{"raw", "gzip"},
                                                                                         {"raw", "xz"},
                                                                                         {"raw", "zstd"},
                                                                                         {"zip", ""},
                                                                                         {"ustar", ""},
                                                                                         {"ustar", "gzip"}}) {
        INFO(format << " " << filter);
        write_archive(folder / "a", format, filter, {{"a.txt", text}});
        const Pipe pipe(read_file(folder / "a"));
        check_same_graph(read_dataset(pipe.path()).graph, plain);
    }
    check_same_graph(read_dataset(Pipe("1 2\n").path()).graph, read_text("1 2\n").graph);
    CHECK_THAT(error_of(Pipe("").path()), Catch::Contains("the file is empty"));
}

TEST_CASE("a FIFO waits for its writer and may be interrupted meanwhile") {
    const TemporaryFolder folder;
    const auto path = folder / "fifo";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const std::string text = many_lines();
    std::thread writer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(250));
        std::ofstream(path) << text;
    });
    const Dataset data = read_dataset(path);
    writer.join();
    CHECK(data.graph.edges() == 40000);

    struct Stop {};
    CHECK_THROWS_AS(read_dataset(path, {.interruption = [] { throw Stop(); }}), Stop);
}

TEST_CASE("HDF5 from a pipe is refused with the reason") {
    const Pipe pipe("\x89HDF\r\n\x1a\n and more");
    InputFile file(pipe.path());
    CHECK_THROWS_WITH(file.is_hdf5(),
                      Catch::Contains("cannot be read from a pipe") && Catch::Contains("write it to a file"));
    CHECK_FALSE(InputFile(Pipe("1 2\n").path()).is_hdf5());
}

TEST_CASE("an archive that comes through a pipe is kept within the memory limit only") {
    const TemporaryFolder folder;
    // Nothing in this archive is recognised, so that all of it would have to be kept.
    std::string noise;
    for (std::uint32_t i = 1; noise.size() < 3'000'000; i = i * 1664525 + 1013904223)
        noise += static_cast<char>('!' + (i >> 16) % 90);
    write_archive(folder / "a.tar", "ustar", "", {{"notes", noise}});
    const Pipe pipe(read_file(folder / "a.tar"));
    CHECK_THAT(error_of(pipe.path(), {.memory_limit = 1'000'000}),
               Catch::Contains("comes from a pipe") && Catch::Contains("write it to a file"));
}

TEST_CASE("errors of the system are named") {
    const TemporaryFolder folder;
    CHECK_THAT(error_of(folder.path()), Catch::Contains("this is a folder"));
    CHECK_THAT(error_of(folder / "absent"), Catch::Contains("cannot be opened: No such file or directory"));
    // Nothing is mapped at address 0, so the first read fails.
    CHECK_THAT(error_of("/proc/self/mem"), Catch::Contains("cannot be read: Input/output error"));
    write_file(folder / "mine.txt", "1 2\n");
    std::filesystem::permissions(folder / "mine.txt", std::filesystem::perms::none);
    if (geteuid() != 0)
        CHECK_THAT(error_of(folder / "mine.txt"), Catch::Contains("cannot be opened: Permission denied"));
}

TEST_CASE("a file that keeps its size while it changes is refused in words that hold") {
    const TemporaryFolder folder;
    static std::filesystem::path path;
    path = folder / "a.txt";
    write_file(path, many_lines());
    static int reads;
    reads = 0;
    const auto touch = [] {
        if (++reads == 3) std::fstream(path) << "2";
    };
    CHECK_THAT(error_of(path, {.interruption = touch}),
               Catch::Contains("while it was read: it was written to;"));
}

TEST_CASE("a file that changes while it is read is refused") {
    const TemporaryFolder folder;
    static std::filesystem::path path;
    path = folder / "a.txt";
    const std::string text = many_lines();
    for (const bool grows : {true, false}) {
        write_file(path, text);
        static int reads;
        reads = 0;
        const auto change = grows ? [] { if (++reads == 3) std::ofstream(path, std::ios::app) << "1 2 3\n"; }
                                  : [] { if (++reads == 3) std::filesystem::resize_file(path, 300000); };
        CHECK_THAT(error_of(path, {.interruption = change}),
                   Catch::Contains("the file changed while it was read"));
    }
}
