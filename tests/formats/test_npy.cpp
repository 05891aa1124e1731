// Tests of arrays in NumPy's format: a written array reads back equal, arrays of both orders are read, and
// other files are refused.
#include <cstring>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/npy.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string file_of(const std::string& header, const std::string& bytes) {
    std::string padded = header;
    padded.resize((10 + header.size() + 64) / 64 * 64 - 11, ' ');
    padded += '\n';
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(padded.size() & 255) +
           static_cast<char>(padded.size() >> 8) + padded + bytes;
}
std::string text_of(const NpyArray& array) {
    return {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()};
}

}  // namespace

TEST_CASE("npy: an array reads back as it was written") {
    const TemporaryFolder folder;
    NpyArray array{"<f4", {3, 2}, {}};
    array.bytes.resize(24);
    for (std::size_t i = 0; i < 24; ++i) array.bytes[i] = static_cast<std::byte>(i);
    write_npy(folder / "a.npy", array);
    const NpyArray read = read_npy(folder / "a.npy");
    CHECK(read.type == array.type);
    CHECK(read.shape == array.shape);
    CHECK(read.bytes == array.bytes);
    CHECK(read.rows() == 3);
    CHECK(read.row_bytes() == 8);
    CHECK(read_file(folder / "a.npy").size() % 64 == 24);
}

TEST_CASE("npy: rows come one after another, whichever dimension varies fastest") {
    const TemporaryFolder folder;
    write_file(folder / "c.npy",
               file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", "abcdef"));
    write_file(folder / "f.npy",
               file_of("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "adbecf"));
    CHECK(text_of(read_npy(folder / "c.npy")) == "abcdef");
    CHECK(text_of(read_npy(folder / "f.npy")) == "abcdef");
}

TEST_CASE("npy: what is no array of numbers, or cut off, is refused with its name") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& content, const char* words) {
        write_file(folder / "x.npy", content);
        CHECK_THROWS_WITH(read_npy(folder / "x.npy"), Catch::Contains("x.npy") && Catch::Contains(words));
    };
    refused("1 2 3\n", "no");
    refused(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234567"),
            "declares 2 entries");
    refused(file_of("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "1234"), "big-endian");
    refused(file_of("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "1234"), "expected numbers");
    refused(file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1, 1), }", "1234"), "C order");
    refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""),
            "impossible");
    CHECK_THROWS_AS(read_npy(folder / "none.npy"), FormatError);
}

TEST_CASE("npy: a structured array has the fields of its type") {
    const TemporaryFolder folder;
    const std::string type = "[('x', '<f4'), ('', '|V4'), ('at', '<i2', (2, 3)), ('ok', '|b1')]";
    write_file(folder / "s.npy", file_of("{'descr': " + type + ", 'fortran_order': False, 'shape': (2,), }",
                                         std::string(42, 'a')));
    const NpyArray read = read_npy(folder / "s.npy");
    CHECK(read.type == type);
    CHECK(read.structured());
    CHECK(read.row_bytes() == 21);
    const std::vector<NpyField> fields = npy_fields(read.type);
    REQUIRE(fields.size() == 4);
    CHECK((fields[0].name == "x" && fields[0].kind == 'f' && fields[0].bytes == 4 && fields[0].offset == 0));
    CHECK((fields[1].name.empty() && fields[1].kind == 'V' && fields[1].bytes == 4 && fields[1].offset == 4));
    CHECK((fields[2].name == "at" && fields[2].count == 6 && fields[2].bytes == 2 && fields[2].offset == 8));
    CHECK((fields[3].name == "ok" && fields[3].kind == 'b' && fields[3].offset == 20));
    write_npy(folder / "t.npy", read);
    CHECK(read_npy(folder / "t.npy").type == type);
    CHECK(read_npy(folder / "t.npy").bytes == read.bytes);
    for (const auto& [wrong, words] : {std::pair{"[('x', [('y', '<f4')])]", "which is a structure"},
                                       {"[('x', '>f4')]", "big-endian"},
                                       {"[('x', '<f4')", "NumPy's"},
                                       {"[('x', '<f4', (0,))]", "entries of 0 bytes"},
                                       {"[]", "not supported"}})
        CHECK_THROWS_WITH(npy_fields(wrong), Catch::Contains(words));
}
