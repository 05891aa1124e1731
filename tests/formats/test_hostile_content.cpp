// Tests of malicious files written by our own writer, in which every hash is correct and only the content is
// wrong, and of files that are not what their first bytes indicate.
#include <functional>
#include <limits>
#include <sstream>

#include "copied_file.hpp"
#include "hostile_support.hpp"

using namespace lockstep;
namespace fs = std::filesystem;

namespace {

using Change = std::function<void(hdf5::Node& root)>;

void resealed(const fs::path& from, const fs::path& to, const Change& change) {
    hdf5::writing(to, [&] {
        hdf5::Reader reader(from, "lockstep-schedules");
        hdf5::Writer writer(to, "lockstep-schedules", 0);
        test::copy(reader, writer, reader.root());
        change(writer.node());
        writer.commit();
    });
}

hdf5::Node& node_at(hdf5::Node& root, const std::string& path) {
    hdf5::Node* node = &root;
    std::istringstream names(path);
    for (std::string name; std::getline(names, name, '/');) node = &node->children.at(name);
    return *node;
}

/// Returns a change that sets or removes an attribute of the node at `path`.
template <class T>
Change sets(const char* path, const char* name, T value) {
    return [=](hdf5::Node& root) { node_at(root, path).set(name, value); };
}
Change lacks(const char* path, const char* name) {
    return [=](hdf5::Node& root) { node_at(root, path).attributes.erase(name); };
}

}  // namespace

TEST_CASE("attributes that lie are refused, their hash being right", "[hostile]") {
    const test::HostileFiles files;
    using List = std::vector<std::int64_t>;
    struct Case {
        std::string name;
        Change change;
        std::string message;
    };
    const std::vector<Case> cases{
        {"format is missing", lacks("", "format"), "not one of Lockstep's"},
        {"another format", sets("", "format", "lockstep-poems"), "is a lockstep-poems file"},
        {"a newer major version", sets("", "version", "2.0"),
         "written by a newer Lockstep, format 2.0; this program reads 1.x"},
        {"an older major version", sets("", "version", "0.9"), "an older Lockstep"},
        {"no version number", sets("", "version", "1.x"), "expected MAJOR.MINOR"},
        {"version as a number", sets("", "version", 1), "is not text"},
        {"negative rows", sets("graph", "shape", List{-6, 4}), "impossible shape"},
        {"more rows than ids can name", sets("graph", "shape", List{std::int64_t{1} << 32, 4}),
         "impossible shape"},
        {"a shape of three", sets("graph", "shape", List{6, 4, 1}), "shape of 3 numbers"},
        {"rows that the arrays do not have", sets("graph", "shape", List{7, 4}),
         "/graph/indptr has extent 7; expected 8"},
        {"4 billion rows", sets("graph", "shape", List{max_vertices, 4}), "/graph/indptr has extent"},
        {"edges that the arrays do not have", sets("graph", "edges", 11), "expected 11"},
        {"negative edges", sets("graph", "edges", -1), "not below 0"},
        {"missing attribute", lacks("graph", "directed"), "has no attribute 'directed'"},
        {"another kind of graph", sets("graph", "kind", "hyper"), "one of: bipartite, square"},
        {"square with fewer columns", sets("graph", "kind", "square"), "hash"},
        {"a flag of 2", sets("graph", "directed", 2), "expected 0 or 1"},
        {"weights that are said to be absent", sets("graph", "weighted", false),
         "/graph/data has extent 12; expected 0"},
        {"another largest degree", sets("graph", "max_col_degree", 4), "largest degree"},
        {"another graph hash", sets("graph", "hash", "00"), "the graph does not agree with its hash"},
        {"another array hash", sets("graph/data", "hash", "00"), "/graph/data does not agree with its hash"},
        {"an array without hash", lacks("graph/data", "hash"), "/graph/data has no attribute 'hash'"},
        {"ids of an unknown kind", sets("graph/row_ids", "kind", "uuid"), "one of: range, integer, string"},
        {"row ids that are those of the rows", sets("graph/row_ids", "kind", "same-as-rows"),
         "one of: range, integer, string"},
        {"column ids that are those of more rows", sets("graph/col_ids", "kind", "same-as-rows"),
         "differs from that of the rows"},
        {"as many ids as there are not", sets("graph/row_ids", "size", 5), "has 5 ids; expected 6"},
        {"a range past 2^63",
         [](hdf5::Node& r) {
             auto& n = node_at(r, "graph/row_ids");
             n.set("kind", "range"), n.set("base", std::numeric_limits<std::int64_t>::max());
         },
         "past 2^63"},
        {"seconds that are not a number",
         [](hdf5::Node& r) {
             r.children.at("preprocess").set("seconds_read", std::numeric_limits<double>::quiet_NaN());
         },
         "expected a finite number"},
        {"negative seconds", sets("schedules/serial", "seconds", -1.0), "not below 0"},
        {"two schedules in one place", sets("schedules/serial", "position", 1), "position"},
        {"a position out of range", sets("schedules/serial", "position", 2), "position"},
        {"another promise", sets("schedules/serial", "disjoint", "most"), "one of: none, row, col, both"},
        {"a promise that the hash does not know", sets("schedules/serial", "maximal", true),
         "does not agree with its hash"},
        {"more locked edges than edges", sets("schedules/serial", "locked", 13), "hash"},
        {"other statistics", sets("schedules/serial", "rounds", 1), "statistics"},
        {"a missing group", [](hdf5::Node& r) { r.children.erase("preprocess"); }, "no group /preprocess"},
        {"a parameter that is a number", sets("schedules/serial/parameters", "x", 1), "is not text"},
    };
    for (const Case& c : cases) {
        INFO(c.name);
        fs::remove(files.bad);
        resealed(files.good, files.bad, c.change);
        files.refused(c.message);
    }
}

TEST_CASE("a newer minor version with more attributes, groups and arrays is read", "[hostile]") {
    const test::HostileFiles files;
    hdf5::writing(files.bad, [&] {
        hdf5::Reader reader(files.good, "lockstep-schedules");
        hdf5::Writer writer(files.bad, "lockstep-schedules", 0);
        test::copy(reader, writer, reader.root());
        writer.node().set("version", "1.7");
        writer.node("graph").set("colour", "blue");
        writer.node("weather").set("wind", 3.5);
        const std::vector<float> more{1, 2, 3};
        writer.write("graph/more", std::span(more));
        writer.commit();
    });
    const ScheduleFile file = read_schedule_file(files.bad);
    CHECK(file.summary.version == "1.7");
    CHECK(graph_hash(file.dataset) == graph_hash(read_schedule_file(files.good).dataset));
}

TEST_CASE("content that breaks the contract is refused, its hash being right", "[hostile]") {
    const test::HostileFiles files;
    const Dataset good = test::sample_dataset();
    const auto refused = [&](const Dataset& d, const std::vector<TimedSchedule>& s,
                             const std::string& message) {
        write_schedule_file(files.bad, d, s, {});
        files.refused(message);
    };
    const auto graph = [&](const std::string& message, auto&& change) {
        Dataset d = good;
        change(d);
        refused(d, {}, message);
    };
    const auto schedule = [&](const std::string& message, auto&& change) {
        Schedule s = test::every_level(good.graph);
        change(s);
        refused(good, {{s, 0}}, message);
    };
    graph("finite", [](Dataset& d) { d.graph.value[2] = std::numeric_limits<float>::quiet_NaN(); });
    graph("finite", [](Dataset& d) { d.graph.value[2] = -std::numeric_limits<float>::infinity(); });
    graph("ascending", [](Dataset& d) { std::swap(d.graph.col[0], d.graph.col[1]); });
    graph("/graph/indptr do not increase monotonically", [](Dataset& d) { d.graph.row_offsets[0] = 1; });
    graph("/graph/indptr do not increase monotonically",
          [](Dataset& d) { d.graph.row_offsets.back() = EdgeId{1} << 60; });
    graph("permutation", [](Dataset& d) { d.graph.input_order[0] = d.graph.input_order[1]; });
    graph("permutation", [](Dataset& d) { d.graph.input_order[0] = 12; });
    graph("not sorted and distinct", [](Dataset& d) { d.row_ids = IntegerIds{{1, 2, 2, 3, 4, 5}}; });
    graph("has 5 ids; expected 6", [](Dataset& d) { d.row_ids = IntegerIds{{1, 2, 3, 4, 5}}; });
    schedule("order is not a permutation", [](Schedule& s) { s.order[0] = s.order[1]; });
    schedule("order is not a permutation", [](Schedule& s) { s.order[0] = 1'000'000; });
    schedule("order is not a permutation", [](Schedule& s) { s.order.pop_back(); });
    schedule("task_offsets do not increase monotonically from 0 to 11", [](Schedule& s) {
        s.level(Level::task) = {1, 1, 11};
    });
    schedule("task_offsets do not increase monotonically from 0 to 11", [](Schedule& s) {
        s.level(Level::task) = {0, 1, 10};
    });
    schedule("resident_offsets", [](Schedule& s) { s.resident_offsets = {0, 5, 4}; });
    schedule("resident_offsets", [](Schedule& s) { s.resident_offsets = {0, 4}; });
    schedule("resident_offsets are missing", [](Schedule& s) { s.resident_offsets.clear(); });
    schedule("column out of range", [](Schedule& s) { s.residents[0] = 4; });
    schedule("row_order is not a permutation", [](Schedule& s) { s.row_order[0] = 6; });
    schedule("col_order is not a permutation", [](Schedule& s) { s.col_order = {0, 1, 2, 2}; });
    schedule("col_parts", [](Schedule& s) { s.col_parts = {0, 3, 2, 4}; });
}

TEST_CASE("files that are not what their first bytes say", "[hostile]") {
    const test::HostileFiles files;
    std::string content = test::read_file(files.good);
    SECTION("an old superblock") {
        const hid_t file = H5Fcreate(files.bad.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        REQUIRE((file >= 0 && H5Fclose(file) >= 0));
        files.refused("superblock of version 0");
    }
    SECTION("a user block in front") {
        test::write_file(files.bad, std::string(512, '\0') + content);
        files.refused("is not an HDF5 file");
    }
    SECTION("an empty HDF5 file") {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
        const hid_t file = H5Fcreate(files.bad.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        REQUIRE((file >= 0 && H5Fclose(file) >= 0));
        H5Pclose(access);
        files.refused("is an HDF5 file, but not one of Lockstep's");
    }
    SECTION("the signature alone") {
        test::write_file(files.bad, content.substr(0, 9));
        files.refused("damaged or cut off");
    }
}
