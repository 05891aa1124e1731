// Tests of the seal: a change made after a file was written is detected before HDF5 reads it.
#include <cstdint>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/result_file.hpp"
#include "sample_file.hpp"
#include "seal_support.hpp"

/// HDF5's own checksum of metadata, exported by its library.
extern "C" std::uint32_t H5_checksum_metadata(const void* data, std::size_t size, std::uint32_t start);

using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

struct Sample {
    test::TemporaryFolder folder;
    std::filesystem::path path = folder / "a.h5";
    std::string content, original;
    Sample() {
        const Dataset d = test::sample_dataset();
        write_schedule_file(path, d, test::sample_schedules(d.graph), {});
        content = test::read_file(path);
        original = test::fingerprint(read_schedule_file(path));
    }
    /// Returns the message of the error that reading `changed` throws; "" if it reads as the original.
    std::string message(const std::string& changed) const {
        test::write_file(path, changed);
        try {
            if (test::fingerprint(read_schedule_file(path)) == original) return "";
        } catch (const FormatError& e) {
            return e.what();
        }
        return "wrong";
    }
};

/// Returns the object headers of a file that end with a checksum, each as (begin, end) of the bytes that the
/// checksum covers.
std::vector<std::pair<std::size_t, std::size_t>> object_headers(const std::string& content) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t at = content.find("OHDR"); at != content.npos; at = content.find("OHDR", at + 4)) {
        const auto flags = static_cast<unsigned char>(content[at + 5]);
        const std::size_t fields = at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0),
                          width = 1U << (flags & 3);
        std::uint64_t size = 0;
        std::memcpy(&size, content.data() + fields, width);
        found.emplace_back(at, fields + width + size);
    }
    return found;
}

/// Changes a byte of an object header in the content and corrects HDF5's checksum of the header.
std::string forged(std::string content, std::pair<std::size_t, std::size_t> header, std::size_t at) {
    content[at] = static_cast<char>(content[at] ^ 1);
    const std::uint32_t sum =
        H5_checksum_metadata(content.data() + header.first, header.second - header.first, 0);
    std::memcpy(content.data() + header.second, &sum, sizeof sum);
    return content;
}

std::filesystem::path data(const std::string& name) {
    return std::filesystem::path(LOCKSTEP_TEST_DATA) / "files" / name;
}

}  // namespace

TEST_CASE("metadata with HDF5's checksums repaired never reaches HDF5", "[seal]") {
    const Sample sample;
    const auto headers = object_headers(sample.content);
    REQUIRE(headers.size() > 20);
    std::size_t count = 0;
    for (const auto& header : headers) {
        for (std::size_t at = header.first + 7; at < header.second; at += 5, ++count) {
            CAPTURE(header.first, at);
            CHECK_THAT(sample.message(forged(sample.content, header, at)), Contains("do not match its seal"));
        }
    }
    CHECK(count > 500);
    // HDF5 itself accepts this forgery: a text attribute in which one bit is changed.
    const std::size_t text = sample.content.find("(revision");
    for (const auto& header : headers) {
        if (header.first > text || text >= header.second) continue;
        const std::string changed = forged(test::without_seal(sample.content), header, text);
        CHECK_THAT(sample.message(test::sealed(changed)), Contains("content hash"));
    }
}

TEST_CASE("every flipped bit of a seal, and bytes behind it, are refused", "[seal]") {
    const Sample sample;
    const std::size_t begin = test::without_seal(sample.content).size();
    REQUIRE(sample.content.size() == begin + 16 * ((begin + 65535) / 65536) + test::seal_footer_bytes);
    for (std::size_t at = begin; at < sample.content.size(); ++at) {
        std::string changed = sample.content;
        changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
        CAPTURE(at - begin);
        CHECK_THAT(sample.message(changed), Contains("seal") && Contains("damaged or cut off"));
    }
    for (const std::size_t more : {1, 40, 4096})
        CHECK_THAT(sample.message(sample.content + std::string(more, 'x')), Contains("after its end"));
    CHECK_THAT(sample.message(sample.content + sample.content.substr(begin)), Contains("damaged seal"));
    CHECK_THAT(sample.message(test::without_seal(sample.content)), Contains("has lost its seal"));
    CHECK(sample.message(sample.content).empty());
}

TEST_CASE("flips anywhere are refused where they are read, and harmless elsewhere", "[seal]") {
    const Sample sample;
    std::size_t refused = 0, read = 0;
    for (std::size_t at = 0; at < sample.content.size(); at += 3) {
        std::string changed = sample.content;
        changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
        const std::string message = sample.message(changed);
        CHECK(message != "wrong");
        ++(message.empty() ? read : refused);
    }
    CAPTURE(refused, read);
    CHECK(refused > 9 * read);
}

TEST_CASE("files written before there were seals are read, if whole", "[seal]") {
    const ScheduleFile file = read_schedule_file(data("schedules-1.1.h5"));
    CHECK(file.summary.version == "1.1");
    CHECK(file.schedules.size() == 2);
    CHECK(read_model(data("model-1.1.h5")).rank == 4);
    CHECK_FALSE(read_model(data("model-1.1.h5")).taken.known());
    CHECK(read_result(data("ranks-1.1.h5")).ids.size() == 4);

    const Sample sample;
    const std::string old = test::read_file(data("schedules-1.1.h5"));
    CHECK_THAT(sample.message(old + "x"), Contains("1 bytes after its end"));
    CHECK_THAT(sample.message(old.substr(0, old.size() - 1)), Contains("cut off"));
}

TEST_CASE("h5py and h5dump read sealed files, who opens one for writing breaks the seal", "[seal]") {
    if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) return test::skip("no h5py");
    const Sample sample;
    const auto python = [&](const std::string& mode) {
        const std::string script =
            "import h5py, sys; assert h5py.File(sys.argv[1], '" + mode + "')['graph/indices'].size == 12";
        return std::system(("/usr/bin/python3 -c \"" + script + "\" " + sample.path.string()).c_str());
    };
    CHECK(python("r") == 0);
    CHECK(test::read_file(sample.path) == sample.content);
    if (std::system("command -v h5dump >/dev/null") == 0)
        CHECK(std::system(("h5dump -H " + sample.path.string() + " >/dev/null").c_str()) == 0);
    CHECK(python("r+") == 0);
    CHECK_THAT(sample.message(test::read_file(sample.path)), Contains("has lost its seal"));
}
