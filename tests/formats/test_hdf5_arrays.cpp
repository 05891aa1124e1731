// Tests of arrays in HDF5 files: our checksums and chunks equal those of the library, at every boundary.
#include "../../formats/src/hdf5.hpp"
#include "seal_support.hpp"

#include <omp.h>

#include <cstring>
#include <random>

#include "catch.hpp"
#include "support.hpp"

using namespace lockstep;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

constexpr const char* test_format = "lockstep-test";

template <class T>
std::vector<T> numbers(std::size_t size, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    std::vector<T> values(size);
    for (T& v : values) v = static_cast<T>(random() >> 33);
    return values;
}

template <class T>
void write(const fs::path& path, const std::vector<T>& values, std::uint64_t width = 0, int deflate = 0) {
    hdf5::writing(path, [&] {
        hdf5::Writer writer(path, test_format, deflate);
        writer.write("group/array", std::span<const T>(values), width);
        writer.commit();
    });
}

template <class T>
std::vector<T> read(const fs::path& path, std::uint64_t rows, std::uint64_t width = 0) {
    return hdf5::reading(path, [&] {
        return hdf5::Reader(path, test_format).read<std::vector<T>>("group/array", rows, width);
    });
}

struct Stock {
    std::size_t entry_bytes = 0;
    bool good = false;
};
/// Reads the file with HDF5 itself, including its Fletcher32 filter.
template <class T>
Stock read_stock(const fs::path& path, const std::vector<T>& expected) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                dataset = H5Dopen2(file, "/group/array", H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    std::vector<T> values(expected.size());
    Stock stock{H5Tget_size(type), H5Dread(dataset, hdf5::array_types<T>().memory, H5S_ALL, H5S_ALL,
                                           H5P_DEFAULT, values.data()) >= 0};
    stock.good = stock.good && values == expected;
    H5Tclose(type), H5Dclose(dataset), H5Fclose(file);
    return stock;
}

/// Returns the Fletcher32 checksum that the library's filter stores after a chunk.
std::uint32_t library_fletcher32(const std::vector<std::uint8_t>& bytes) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fapl_core(access, 1 << 16, false);
    const hsize_t size = bytes.size(), zero = 0;
    H5Pset_chunk(creation, 1, &size), H5Pset_fletcher32(creation);
    const hid_t file = H5Fcreate("in-memory", H5F_ACC_TRUNC, H5P_DEFAULT, access),
                space = H5Screate_simple(1, &size, nullptr);
    const hid_t dataset = H5Dcreate2(file, "a", H5T_STD_U8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    std::vector<std::uint8_t> chunk(bytes.size() + 4);
    std::uint32_t mask = 0, sum = 0;
    REQUIRE(H5Dread_chunk(dataset, H5P_DEFAULT, &zero, &mask, chunk.data()) >= 0);
    std::memcpy(&sum, chunk.data() + bytes.size(), sizeof sum);
    H5Dclose(dataset), H5Sclose(space), H5Fclose(file), H5Pclose(creation), H5Pclose(access);
    return sum;
}

}  // namespace

TEST_CASE("Fletcher32 is that of HDF5", "[hdf5_arrays]") {
    std::mt19937_64 random(3);
    for (const std::size_t size :
         {1,    2,    3,    4,    5,    7,    8,    255,   719,    720,       721,      722,
          4095, 4096, 4097, 4098, 8191, 8192, 8193, 65537, 131070, 1'048'576, 1'048'577}) {
        for (const int pattern : {0, 1, 2, 3}) {
            std::vector<std::uint8_t> bytes(size);
            if (pattern == 1) std::fill(bytes.begin(), bytes.end(), 255);
            if (pattern == 2) bytes.back() = 1;
            if (pattern == 3)
                for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
            CAPTURE(size, pattern);
            CHECK(hdf5::fletcher32(std::as_bytes(std::span(bytes))) == library_fletcher32(bytes));
        }
    }
}

TEMPLATE_TEST_CASE("arrays of every length around a chunk survive, for us and for HDF5", "[hdf5_arrays]",
                   std::uint64_t, std::int64_t, std::uint32_t, float, char) {
    const test::TemporaryFolder folder;
    const std::size_t stored = std::is_same_v<TestType, std::uint64_t> ? 4 : sizeof(TestType),
                      chunk = (1 << 20) / stored;
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{2}, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1}) {
        for (const int deflate : {0, 1}) {
            CAPTURE(size, deflate);
            const auto values = numbers<TestType>(size, size);
            write(folder / "a.h5", values, 0, deflate);
            CHECK(read<TestType>(folder / "a.h5", size) == values);
            const Stock stock = read_stock(folder / "a.h5", values);
            CHECK(stock.good);
            CHECK(stock.entry_bytes == stored);
        }
    }
}

TEST_CASE("arrays of rank 2 are cut between rows", "[hdf5_arrays]") {
    const test::TemporaryFolder folder;
    for (const std::uint64_t width : {1, 3, 1000, 262'143, 262'144, 300'000}) {
        for (const std::uint64_t rows : {std::uint64_t{1}, std::uint64_t{5}, 600'000 / width}) {
            if (rows == 0) continue;
            CAPTURE(width, rows);
            const auto values = numbers<float>(rows * width);
            write(folder / "a.h5", values, width);
            CHECK(read<float>(folder / "a.h5", rows, width) == values);
            CHECK(read_stock(folder / "a.h5", values).good);
        }
    }
}

TEST_CASE("64-bit entries take 32 bits where all fit", "[hdf5_arrays]") {
    const test::TemporaryFolder folder;
    for (const std::size_t size : {1, 300'000}) {
        for (const std::size_t at : {std::size_t{0}, size - 1}) {
            for (const std::uint64_t largest : {0xffff'ffffULL, 0x1'0000'0000ULL, ~0ULL}) {
                CAPTURE(size, at, largest);
                auto values = numbers<std::uint64_t>(size);
                values[at] = largest;
                write(folder / "a.h5", values);
                CHECK(read<std::uint64_t>(folder / "a.h5", size) == values);
                const Stock stock = read_stock(folder / "a.h5", values);
                CHECK(stock.good);
                CHECK(stock.entry_bytes == (largest >> 32 ? 8 : 4));
            }
        }
    }
}

TEST_CASE("any number of threads writes the same file", "[hdf5_arrays]") {
    const test::TemporaryFolder folder;
    const auto values = numbers<std::uint64_t>(2'000'001);
    const int before = omp_get_max_threads();
    std::string first;
    for (const int threads : {1, 2, 5}) {
        omp_set_num_threads(threads);
        write(folder / "a.h5", values);
        CHECK(read<std::uint64_t>(folder / "a.h5", values.size()) == values);
        const std::string content = test::read_file(folder / "a.h5");
        CHECK((first.empty() || content == first));
        first = content;
    }
    omp_set_num_threads(before);
}

TEST_CASE("what HDF5 wrote in place of our chunks is read, if it is the same", "[hdf5_arrays]") {
    const test::TemporaryFolder folder;
    auto values = numbers<std::uint32_t>(600'000);
    write(folder / "a.h5", values);
    const auto rewrite = [&](hsize_t chunk) {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
        const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, access);
        const hid_t old = H5Dopen2(file, "/group/array", H5P_DEFAULT);
        if (chunk == 0) {
            REQUIRE(H5Dwrite(old, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
        } else {  // a dataset with other chunks, with the hash of the old dataset
            const hsize_t size = values.size();
            H5Pset_chunk(creation, 1, &chunk), H5Pset_fletcher32(creation);
            const hid_t space = H5Screate_simple(1, &size, nullptr);
            const hid_t made =
                H5Dcreate2(file, "/group/other", H5T_STD_U32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
            REQUIRE(H5Dwrite(made, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
            char hash[32];
            const hid_t attribute = H5Aopen(old, "hash", H5P_DEFAULT), type = H5Aget_type(attribute),
                        scalar = H5Screate(H5S_SCALAR);
            const hid_t copy = H5Acreate2(made, "hash", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
            REQUIRE((H5Aread(attribute, type, hash) >= 0 && H5Awrite(copy, type, hash) >= 0));
            H5Aclose(attribute), H5Aclose(copy), H5Tclose(type), H5Sclose(scalar), H5Sclose(space),
                H5Dclose(made);
            H5Ldelete(file, "/group/array", H5P_DEFAULT);
            H5Lmove(file, "/group/other", file, "/group/array", H5P_DEFAULT, H5P_DEFAULT);
        }
        H5Dclose(old), H5Fclose(file), H5Pclose(creation), H5Pclose(access);
        test::write_file(folder / "a.h5", test::sealed(test::read_file(folder / "a.h5")));
    };
    for (const hsize_t chunk : {0, 1000, 262'143, 600'000}) {
        CAPTURE(chunk);
        rewrite(chunk);
        CHECK(read<std::uint32_t>(folder / "a.h5", values.size()) == values);
    }
    values[400'000] ^= 1;
    for (const hsize_t chunk : {0, 1000}) {
        CAPTURE(chunk);
        rewrite(chunk);
        CHECK_THROWS_WITH(read<std::uint32_t>(folder / "a.h5", values.size()),
                          Contains("/group/array does not agree with its hash"));
    }
}

TEST_CASE("one changed byte of any chunk is found", "[hdf5_arrays]") {
    const test::TemporaryFolder folder;
    const auto values = numbers<std::uint64_t>(700'000);
    write(folder / "a.h5", values);
    const std::string content = test::read_file(folder / "a.h5");
    for (const std::size_t entry : {0, 262'143, 262'144, 600'000, 699'999}) {
        std::uint32_t words[2] = {static_cast<std::uint32_t>(values[entry]), 0};
        const std::size_t at = content.find(std::string_view(reinterpret_cast<const char*>(words), 4));
        REQUIRE(at != content.npos);
        std::string changed = content;
        changed[at + 1] = static_cast<char>(changed[at + 1] ^ 64);
        test::write_file(folder / "b.h5", changed);
        CAPTURE(entry);
        // The seal detects damage in pieces that HDF5 reads itself; the hash of the array detects all other
        // damage.
        CHECK_THROWS_WITH(read<std::uint64_t>(folder / "b.h5", values.size()),
                          Contains("not agree with its hash") || Contains("not match its seal"));
    }
}

TEST_CASE("an id of HDF5 is held before a message is put together, which may lack the memory",
          "[hdf5_arrays]") {
    using Closer = herr_t (*)(hid_t);
    STATIC_REQUIRE(std::is_constructible_v<hdf5::Handle, hid_t, Closer, const std::string&, const char*>);
    STATIC_REQUIRE(!std::is_constructible_v<hdf5::Handle, hid_t, Closer, std::string>);
}
