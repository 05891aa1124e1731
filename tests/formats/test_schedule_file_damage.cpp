// Tests of damage: a file with changed bytes, or a truncated file, reads as before or is refused.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/model_file.hpp"
#include "sample_file.hpp"

using namespace lockstep;

namespace {

std::size_t damages(std::size_t default_count) {
    const char* asked = std::getenv("LOCKSTEP_TEST_DAMAGES");
    return asked ? std::strtoull(asked, nullptr, 10) : default_count;
}

std::string small_file(const test::TemporaryFolder& folder) {
    const Dataset d = test::sample_dataset();
    write_schedule_file(folder / "a.h5", d, test::sample_schedules(d.graph), PreprocessSeconds{1, 2, 3, 0});
    return test::read_file(folder / "a.h5");
}

struct Damages {
    std::size_t refused = 0, equal = 0, wrong = 0;
};

/// Reads a file and counts the outcome. Any exception other than FormatError fails the test.
void judge(const std::filesystem::path& path, const std::string& original, Damages& outcome) {
    try {
        const bool equal = test::fingerprint(read_schedule_file(path)) == original;
        ++(equal ? outcome.equal : outcome.wrong);
    } catch (const FormatError&) {
        ++outcome.refused;
    }
}

/// Returns the content with random damage as disks and transfers cause it: bytes set, bits flipped, or a
/// sequence of zeros.
std::string damaged(std::string content, std::mt19937_64& random) {
    const auto kind = random() % 4;
    const auto at = random() % content.size();
    if (kind == 0) content[at] = static_cast<char>(random());
    if (kind == 1) content[at] = static_cast<char>(content[at] ^ (1 << random() % 8));
    if (kind == 2) {
        for (int i = 0; i < 4; ++i) content[random() % content.size()] = static_cast<char>(random());
    }
    if (kind == 3) {
        for (std::size_t i = at, end = std::min(content.size(), at + 1 + random() % 64); i < end; ++i)
            content[i] = 0;
    }
    return content;
}

}  // namespace

TEST_CASE("random damages are refused or harmless", "[damage]") {
    const test::TemporaryFolder folder;
    const std::string content = small_file(folder);
    const std::string original = test::fingerprint(read_schedule_file(folder / "a.h5"));
    std::mt19937_64 random(20);
    Damages outcome;
    const std::size_t count = damages(3000);
    for (std::size_t i = 0; i < count; ++i) {
        test::write_file(folder / "damaged.h5", damaged(content, random));
        judge(folder / "damaged.h5", original, outcome);
    }
    CAPTURE(content.size(), outcome.refused, outcome.equal);
    CHECK(outcome.wrong == 0);
    CHECK(outcome.refused > count / 2);  // the other damage hit gaps that HDF5 leaves, or changed nothing
}

TEST_CASE("every truncation is refused", "[damage]") {
    const test::TemporaryFolder folder;
    const std::string content = small_file(folder);
    const std::string original = test::fingerprint(read_schedule_file(folder / "a.h5"));
    Damages outcome;
    for (std::size_t size = content.size(); size-- > 0;) {
        std::filesystem::resize_file(folder / "a.h5", size);
        judge(folder / "a.h5", original, outcome);
    }
    CHECK(outcome.refused == content.size());
}

TEST_CASE("a damaged model is refused or harmless", "[damage]") {
    const test::TemporaryFolder folder;
    Model model{3,
                2,
                2,
                {1, 2, 3, 4, 5, 6},
                {7, 8, 9, 10},
                RangeIds{1, 3},
                StringIds{"ab", {0, 1, 2}},
                "hash",
                {{"sweeps", "3"}},
                {}};
    if (GENERATE(false, true))
        model.biases = {3, {1, 2, 3}, {-1, 1}}, model.taken = {{0, 1, 1, 3}, {1, 0, 1}};
    write_model(folder / "m.h5", model);
    const std::string content = test::read_file(folder / "m.h5");
    std::mt19937_64 random(21);
    const std::size_t count = damages(1000);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        test::write_file(folder / "d.h5", damaged(content, random));
        try {
            const Model m = read_model(folder / "d.h5");
            wrong += m.row_factors != model.row_factors || m.col_factors != model.col_factors ||
                     m.row_ids != model.row_ids || m.col_ids != model.col_ids ||
                     m.graph_hash != model.graph_hash || m.parameters != model.parameters || m.rank != 2 ||
                     m.biases != model.biases || m.taken != model.taken;
        } catch (const FormatError&) {
        }
    }
    CHECK(wrong == 0);
}
