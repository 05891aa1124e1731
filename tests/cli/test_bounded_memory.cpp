// lockstep-preprocess on more data than --memory allows: it writes the same file, within the limit, and
// leaves nothing behind.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "cli_support.hpp"

using namespace lockstep;

namespace {

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
}

/// A graph whose edge arrays do not fit in memory under the smallest possible limit.
struct Edges {
    Edges() {
        test::done("lockstep-generate ratings --users 20000 --items 3000 --edges 900000 --max-degree 9000",
                   "--output-format cumf-binary -q -o", input);
    }
    const test::TemporaryFolder folder;
    const std::string input = (folder / "r.bin").string(), in_memory = (folder / "a.h5").string(),
                      in_files = (folder / "b.h5").string();
};

}  // namespace

TEST_CASE("a schedule file made within --memory is that made in memory, byte for byte", "[bounded]") {
    const Edges edges;
    const char* const options = "--no-times --threads 2 --json --schedule tiled,agm-e,blkdiag,diag,blocked";
    test::done("lockstep-preprocess", edges.input, "-o", edges.in_memory, options);
    const nlohmann::json bounded =
        test::parsed("lockstep-preprocess", edges.input, "-o", edges.in_files, options, "--memory 170M");
#if !defined(LOCKSTEP_SANITIZED)
    CHECK(bounded["temporary_bytes"] > 10'000'000);
    CHECK(bounded["peak_bytes"] < 170'000'000);
#endif
    CHECK(test::read_file(edges.in_files) == test::read_file(edges.in_memory));
    CHECK(files_in(edges.folder.path()) == 3);

    SECTION("a schedule is added to it likewise") {
        for (const auto& [file, bound] : {std::pair(edges.in_memory, ""), {edges.in_files, "--memory 170M"}})
            test::done("lockstep-preprocess", file, "-o", file, "--no-times --threads 2 -s edge-tiled",
                       bound);
        CHECK(test::read_file(edges.in_files) == test::read_file(edges.in_memory));
    }
}

TEST_CASE("a --memory that cannot be kept to is refused", "[bounded]") {
    const Edges edges;
    const auto refused = [&](int code, const char* words, const char* options) {
        test::refused(code, words, "lockstep-preprocess", edges.input, "-o", edges.in_files, "--threads 2",
                      options);
        CHECK(files_in(edges.folder.path()) == 1);
    };
    refused(2, "with 2 threads at least 168M are needed", "--memory 100M");
    refused(2, "metis: a library needs about", "--memory 168M --schedule metis");
#if !defined(LOCKSTEP_SANITIZED)
    // Temporary files obey the limits of files, too: the shell limits every file to 2 MiB.
    const std::string err = (edges.folder / "err").string();
    const std::string command = "ulimit -f 4096; '" LOCKSTEP_BINARIES "/lockstep-preprocess' '" +
                                edges.input + "' -o '" + edges.in_files +
                                "' --threads 2 -q -s tiled,blkdiag --memory 170M 2>'" + err + "'";
    CHECK(std::system(command.c_str()) >> 8 == 6);
    CHECK_THAT(test::read_file(err), Catch::Contains("a temporary file cannot be written: File too large"));
    CHECK(files_in(edges.folder.path()) == 2);
#endif
}
