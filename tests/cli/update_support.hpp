// Updates, as users write them, and small graphs on which the tests run them.
#pragma once

#include <cstring>

#include "cli_support.hpp"
#include "lockstep/formats/npy.hpp"

namespace lockstep::test {

constexpr const char* spring = R"(// A spring: "}" in a comment, and in a string, closes nothing.
#include <cmath>
struct Helper { float unused; };
struct Spring {
    struct Vertex { float x, y, z, inverse_mass; };
    struct Edge { float rest; };
    struct Parameters { float compliance = 0; };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e, const Parameters& p) {
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const float length = std::sqrt(dx * dx + dy * dy + dz * dz), weight = a.inverse_mass + b.inverse_mass + p.compliance;
        if (length == 0 || weight == 0) return;
        const float s = (length - e.rest) / (length * weight);
        a.x -= s * a.inverse_mass * dx, a.y -= s * a.inverse_mass * dy, a.z -= s * a.inverse_mass * dz;
        b.x += s * b.inverse_mass * dx, b.y += s * b.inverse_mass * dy, b.z += s * b.inverse_mass * dz;
    }
};
)";
/// Structs with gaps between their fields, and behind them.
constexpr const char* trade = R"(struct Trade {
    struct Row { long long amount; };
    struct Col { int edges; long long amount; char kind; };
    struct Edge { char visits; int last; };
    LOCKSTEP_HD static void update(Row& a, Col& b, Edge& e) {
        Col changed;
        changed.edges = b.edges + 1, changed.amount = b.amount + (a.amount - b.amount) / 2 + 1, changed.kind = 'x';
        a.amount -= changed.amount - b.amount;
        b = changed, ++e.visits, e.last = b.edges;
    }
};
)";
constexpr const char* count = R"(struct Count {
    struct Row { unsigned edges; };
    struct Col { unsigned edges, pad; };
    struct Edge { unsigned visits; };
    static void update(Row& a, Col& b, Edge& e) { ++a.edges, ++b.edges, ++e.visits; }
};
)";

template <class T>
NpyArray array(const char* type, std::vector<std::uint64_t> shape, const std::vector<T>& values) {
    NpyArray made{type, std::move(shape), {}};
    made.bytes.resize(values.size() * sizeof(T));
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
    return made;
}
template <class T>
std::vector<T> values_of(const std::filesystem::path& path) {
    const NpyArray read = read_npy(path);
    std::vector<T> values(read.bytes.size() / sizeof(T));
    std::memcpy(values.data(), read.bytes.data(), read.bytes.size());
    return values;
}

/// A path of three vertices with the weights 3 and 5, and updates on it. The test has a cache of its own.
struct Path {
    TemporaryFolder folder;
    std::filesystem::path file = folder / "g.h5", update = folder / "update.hpp", out = folder / "out.npy";

    explicit Path(const char* edges = "0 1 3\n1 2 5\n") {
        setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1);
        write_file(folder / "g.txt", edges);
        done("lockstep-preprocess -q --ends vertices", folder / "g.txt", "-o", file);
    }
    ~Path() { unsetenv("LOCKSTEP_CACHE"), unsetenv("CXX"); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

    template <class... Parts>
    ProgramResult run(const std::string& text, const Parts&... parts) const {
        write_file(update, text);
        std::filesystem::remove(out);
        return run_program("lockstep-execute", file, "--update", update,
                           "--strategy agm-e --sweeps 1 --device cpu --output", out, parts...);
    }
    template <class... Parts>
    void refuses(int code, const std::string& words, const std::string& text, const Parts&... parts) const {
        const ProgramResult result = run(text, parts...);
        INFO(result.err);
        CHECK(result.code == code);
        CHECK_THAT(result.err, Catch::Contains(words));
        CHECK(!std::filesystem::exists(out));
    }
    template <class T, class... Parts>
    std::vector<T> states(const std::string& text, const Parts&... parts) const {
        const ProgramResult result = run(text, parts...);
        INFO(result.err);
        REQUIRE(result.code == 0);
        return values_of<T>(out);
    }
    /// Runs a script in the folder, with the programs on PATH.
    ProgramResult shell(const std::string& script) const {
        return run_program("/bin/bash -c", "cd '" + folder.path().string() + "'; export PATH='" +
                                               LOCKSTEP_BINARIES + "':$PATH\n" + script);
    }
};
/// Adds one to each endpoint of an edge.
inline const std::string plus_one =
    "struct S { struct Vertex { float x, y; }; static void update(Vertex& a, Vertex& b) { ++a.x, ++b.x; } "
    "};\n";

/// A strip of squares with both diagonals: IDs start at 10, one spring per line.
struct Strip {
    static constexpr int length = 40, width = 5, first_id = 10;
    TemporaryFolder folder;
    std::vector<float> lengths;  // lengths of the springs, in the order of the file
    std::filesystem::path text = folder / "cloth.txt", file = folder / "cloth.h5",
                          update = folder / "spring.hpp", states = folder / "x.npy";

    Strip() {
        setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1);
        std::string lines;
        std::vector<float> x;
        const auto line = [&](int a, int b, float rest) {
            lengths.push_back(rest);
            lines += std::to_string(first_id + a) + ' ' + std::to_string(first_id + b) + ' ' +
                     std::to_string(rest) + '\n';
        };
        for (int i = 0; i < length; ++i) {
            for (int j = 0; j < width; ++j) {
                const int v = i * width + j;
                if (j + 1 < width) line(v, v + 1, 1);
                if (i + 1 < length) line(v + width, v, 1);
                if (i + 1 < length && j + 1 < width) line(v, v + width + 1, 1.5F);
                if (i + 1 < length && j > 0) line(v + width - 1, v, 1.5F);
                for (const float value : {1.1F * static_cast<float>(i), 0.9F * static_cast<float>(j),
                                          0.1F * static_cast<float>(v % 7), v ? 1.0F : 0.0F})
                    x.push_back(value);
            }
        }
        write_file(text, lines);
        write_file(update, spring);
        write_npy(states, array("<f4", {length * width, 4}, x));
        done("lockstep-preprocess -q --ends vertices --rank 4 --schedule all", text, "-o", file);
    }
    ~Strip() { unsetenv("LOCKSTEP_CACHE"); }
    template <class... Parts>
    ProgramResult run(const Parts&... parts) const {
        return run_program("lockstep-execute", file, "--update", update, "--vertices", states, parts...);
    }
};

}  // namespace lockstep::test
