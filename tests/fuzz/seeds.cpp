// Writes the initial inputs of fuzzing, one folder per target, from tests/data and from files made here:
//     lockstep_fuzz_seeds TESTS/DATA FOLDER
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>

#include "fuzz.hpp"
#include "insight/build_options.hpp"
#include "insight/cache.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"
#include "pack.hpp"

// This program does not fuzz; it only uses functions of fuzz.hpp.
namespace fs = std::filesystem;
using namespace lockstep;

namespace {

fs::path out;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& target, const std::string& name, const std::string& bytes) {
    fs::create_directories(out / target);
    std::ofstream(out / target / name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string prefix(std::initializer_list<int> bytes) { return {bytes.begin(), bytes.end()}; }

/// Returns the index of a suffix in the list of a target of read_graph; -1 if it is not there.
int place(const std::string& suffix, std::initializer_list<const char*> suffixes) {
    const auto found = std::find(suffixes.begin(), suffixes.end(), suffix);
    return found == suffixes.end() ? -1 : static_cast<int>(found - suffixes.begin());
}

void graphs(const fs::path& data) {
    for (const auto& entry : fs::recursive_directory_iterator(data)) {
        const fs::path& path = entry.path();
        if (!entry.is_regular_file() || path.extension() == ".expected" || fs::file_size(path) > 4096)
            continue;
        const std::string bytes = read(path),
                          name = path.parent_path().filename().string() + "-" + path.filename().string();
        const std::string suffix = path.extension().string();
        const int binary = place(suffix, {".sg", ".wsg", ".gr", ".bin"});
        if (binary >= 0) write("binary", name, prefix({binary, 0, 0, 0}) + bytes);
        const int text = place(suffix, {"", ".txt", ".csv", ".tsv", ".mtx", ".gr", ".graph", ".dat", ".data",
                                        ".libmf", ".wel", ".col"});
        if (text >= 0) write("text", name, prefix({text, 0, 0, 0}) + bytes);
        const int archive = place(suffix, {".gz", ".bz2", ".xz", ".zst", ".tar", ".zip", "", ".7z"});
        if (archive >= 0) write("archive", name, prefix({archive, 0, 0, 0}) + bytes);
    }
    const std::string ratings = "user,item,rating\n1,10,4\n2,11,3.5\n1,11,5\n";
    for (int i = 1; i < 8; ++i) {
        const auto packing = static_cast<fuzz::Packing>(i);
        write("text", "packed-" + std::to_string(i), prefix({2, 0, 0, i}) + ratings);
        write("archive", "packed-" + std::to_string(i),
              prefix({i - 1, 0, 0, 0}) + fuzz::pack(packing, {{"ratings.csv", ratings}, {"README", "text"}}));
    }
}

/// Returns the bytes of an array as NumPy writes it.
template <class T>
std::string npy(const char* type, const std::vector<T>& values, const std::string& shape) {
    std::string header =
        std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.append(117 - header.size(), ' ').push_back('\n');
    std::string bytes =
        std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
    return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void matrices() {
    const std::string indices = npy<std::int32_t>("<i4", {0, 2, 1, 0}, "(4,)"),
                      rows = npy<std::int32_t>("<i4", {0, 1, 1, 2}, "(4,)"),
                      indptr = npy<std::int64_t>("<i8", {0, 2, 3, 4}, "(4,)"),
                      short_indptr = npy<std::int64_t>("<i8", {0, 2, 3, 3}, "(4,)"),
                      shape = npy<std::int64_t>("<i8", {3, 3}, "(2,)"),
                      values = npy<double>("<f8", {1, 2.5, 3, 4}, "(4,)");
    for (const char* format : {"csr", "csc", "coo"}) {
        const std::string name = npy<char>("|S3", {format[0], format[1], format[2]}, "()");
        std::vector<std::pair<std::string, std::string_view>> files{
            {"format.npy", name}, {"shape.npy", shape}, {"data.npy", values}};
        if (format[2] == 'o') {
            files.insert(files.end(), {{"row.npy", rows}, {"col.npy", indices}});
        } else {
            files.insert(files.end(), {{"indices.npy", indices}, {"indptr.npy", indptr}});
        }
        for (const fuzz::Packing packing : {fuzz::Packing::stored_zip, fuzz::Packing::zip})
            write("npz", format + std::to_string(static_cast<int>(packing)),
                  prefix({0, 0, 0, 0}) + fuzz::pack(packing, files));
        if (format[2] == 'o') continue;
        files.back().second = short_indptr;
        write("npz", std::string(format) + "-short",
              prefix({0, 0, 0, 0}) + fuzz::pack(fuzz::Packing::stored_zip, files));
    }
}

void hdf5_files(const fs::path& data) {
    const auto add = [](const std::string& name, std::initializer_list<int> readers,
                        const std::string& bytes) {
        for (const int reader : readers)
            write("hdf5_file", name + "-" + std::to_string(reader), prefix({reader}) + bytes);
    };
    add("old-schedules", {0, 1}, read(data / "files/schedules-1.1.h5"));
    add("old-model", {2, 4, 5}, read(data / "files/model-1.1.h5"));
    add("old-ranks", {3, 4}, read(data / "files/ranks-1.1.h5"));

    const fs::path path = fuzz::scratch_file("seed.h5");
    Dataset dataset{
        build_graph({{0, 1, 2}, {1, 0, 3}, {1, 2, 1}, {2, 2, 5}}, 3, 3, {GraphShape::square, true, true}),
        StringIds{"abc", {0, 1, 2, 3}},
        StringIds{"abc", {0, 1, 2, 3}},
        {}};
    for (const char* name : {"agm-e", "sgm", "tiled", "metis"}) {
        BuildOptions options = insight::default_build_options();
        options.workers = 2;
        write_schedule_file(path, dataset, {{find_builder(name).build(dataset.graph, options), 0}}, {});
        add(name, {0, 1}, read(path));
    }
    for (const Biases& biases : {Biases{}, Biases{3, {0.5F, -1}, {0.25F}}}) {
        write_model(path, {2,
                           1,
                           2,
                           {1, 2, 3, 4},
                           {5, 6},
                           IntegerIds{{3, 7}},
                           RangeIds{1, 1},
                           "hash",
                           {{"seed", "1"}},
                           biases});
        add(biases.empty() ? "model" : "model-biased", {2, 4, 5}, read(path));
    }
    ResultFile ranks{
        "lockstep-ranks", {{"ranks", std::vector<float>{0.5F, 0.25F}}}, RangeIds{0, 2}, "hash", {}};
    write_result(path, ranks);
    add("ranks", {3, 4}, read(path));
    ResultFile result{"lockstep-result",
                      {{"depth", std::vector<std::uint32_t>{0, 1}, "none", true}},
                      RangeIds{0, 2},
                      "hash",
                      {}};
    write_result(path, result);
    add("result", {3, 4}, read(path));
}

void texts() {
    write(
        "run_record", "run",
        R"({"record":"run","program":"lockstep 0.1.0","command":["lockstep-execute","a.h5"],"started":"2025-01-02T03:04:05Z","app":"sgd","strategy":"agm-e","deterministic":true,"device":{"kind":"cpu","name":"x","threads":2,"driver":""},"rank":16,"seed":1,"sweeps":2,"schedule_file":"a.h5","graph_hash":"0","schedule_hash":"1","graph":{"rows":3,"cols":3,"edges":4,"train_edges":3,"test_edges":1,"max_row_degree":2,"max_col_degree":2},"rows":3,"cols":3,"edges":4,"train_edges":3,"test_edges":1,"max_row_degree":2,"max_col_degree":2,"parameters":{"learning_rate":"0.01"}}
{"record":"sweep","sweep":1,"seconds":0.5,"rmse_train":1.5,"rmse_test":null,"updates":3,"passes":1}
{"record":"end","status":"ok","result_hash":"2","seconds":{"read":0,"schedule":0,"write":0,"load":0,"transfer":0,"execute":0.5,"evaluate":0},"updates_per_second":6}
)");
    for (const std::string& name : insight::built_in_classes())
        write("probe", name, prefix({0}) + insight::probe_text(*insight::built_in_class(name)));
    write("probe", "summary",
          prefix({1}) + R"({"path":"a.h5","rows":3,"cols":3,"edges":4,"schedules":[{"name":"agm-e"}]})");
    write("options", "preprocess",
          "ratings.txt\n-o\na.h5\n--schedule\nagm-e,\nsgm\n--memory=8G\n--threads\n2");
    write("options", "reading",
          "--format=edge-list\n--shape\nsquare\n--undirected\n--delimiter\n::\n--header\nyes\n--\n-x");
    // A placeholder in Boost's messages, which Boost would replace again and again.
    write("options", "placeholder", "--rate\n%value%");
    write("ids", "words",
          "\x05\x09"
          "1\n007\n-3\n-0\nalice\n9223372036854775807\n9223372036854775808");
    for (int i = 0; i < 24; ++i) {
        // Each schedule is written without edits, and with some edits.
        write("schedule_arrays", "whole-" + std::to_string(i), prefix({0, i}));
        write("schedule_arrays", "edited-" + std::to_string(i),
              prefix({i % 4, i, i, i / 3, 2 * i, 3, 5, 1, i, 7}));
    }
}

void meshes(const fs::path& data) {
    for (const char* kind : {"odd", "invalid"}) {
        for (const auto& entry : fs::directory_iterator(data / "mesh" / kind)) {
            fs::path node = entry.path();
            if (node.extension() != ".ele" || !fs::exists(node.replace_extension(".node"))) continue;
            write("mesh", node.stem().string(), read(node) + '\1' + read(entry.path()));
        }
    }
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) return std::fputs("usage: lockstep_fuzz_seeds TESTS/DATA FOLDER\n", stderr), 2;
    out = argv[2];
    graphs(argv[1]);
    matrices();
    hdf5_files(argv[1]);
    texts();
    meshes(argv[1]);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "lockstep_fuzz_seeds: %s\n", e.what());
    return 1;
}
