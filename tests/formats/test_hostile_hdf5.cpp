// Files made to harm: each kind is refused with FormatError, for the reason it was made for, before
// memory is taken or another file is opened.
#define H5_USE_110_API 1
#include <hdf5.h>

#include <cstring>
#include <functional>
#include <limits>

#include "../../formats/src/hdf5.hpp"
#include "catch.hpp"
#include "lockstep/formats/model_file.hpp"
#include "sample_file.hpp"
#include "seal_support.hpp"

using namespace lockstep;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

// --- a good file, altered with HDF5 itself ---------------------------------------------------------

using Alter = std::function<void(hid_t file)>;

void require(bool good) {
    if (!good) throw std::runtime_error("the hostile file cannot be made");
}

void alter(const fs::path& path, const Alter& change) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
    require(file >= 0);
    change(file);
    H5Pclose(access);
    require(H5Fclose(file) >= 0);
    // HDF5 has cut off the seal; who makes such files can make one anew.
    test::write_file(path, test::sealed(test::read_file(path)));
}

/// Deletes a dataset and lets `make` put another one in its place, with the hash of the old one: the
/// attributes of the file stay as they were sealed.
void replace_array(hid_t file, const char* path, const std::function<hid_t()>& make) {
    char hash[32] = {};
    const hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
    H5Tset_size(text, sizeof hash), H5Tset_strpad(text, H5T_STR_NULLPAD), H5Tset_cset(text, H5T_CSET_UTF8);
    const hid_t old = H5Aopen_by_name(file, path, "hash", H5P_DEFAULT, H5P_DEFAULT);
    require(old >= 0 && H5Aread(old, text, hash) >= 0 && H5Aclose(old) >= 0 &&
            H5Ldelete(file, path, H5P_DEFAULT) >= 0);
    const hid_t dataset = make();
    const hid_t attribute = H5Acreate2(dataset, "hash", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    require(dataset >= 0 && H5Awrite(attribute, text, hash) >= 0);
    H5Aclose(attribute), H5Dclose(dataset), H5Sclose(scalar), H5Tclose(text);
}

/// Puts a dataset of another make in the place of /graph/indices (12 entries of u32).
struct Make {
    hid_t type = H5T_STD_U32LE;
    std::vector<hsize_t> extent{12}, limit{}, chunk{12};
    std::function<void(hid_t creation)> properties = [](hid_t) {};
    bool write = true;
};
Alter indices(Make make) {
    return [make](hid_t file) {
        replace_array(file, "/graph/indices", [&] {
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            if (!make.chunk.empty())
                H5Pset_chunk(creation, static_cast<int>(make.chunk.size()), make.chunk.data());
            make.properties(creation);
            const hid_t space = H5Screate_simple(static_cast<int>(make.extent.size()), make.extent.data(),
                                                 make.limit.empty() ? nullptr : make.limit.data());
            const hid_t dataset =
                H5Dcreate2(file, "/graph/indices", make.type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
            if (make.write) {
                const std::vector<std::uint64_t> zeros(4096);
                require(H5Dwrite(dataset, make.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()) >= 0);
            }
            H5Sclose(space);
            H5Pclose(creation);
            return dataset;
        });
    };
}

Alter link(const std::function<herr_t(hid_t)>& make, const char* old = "/graph/indices") {
    return [=](hid_t file) { require(H5Ldelete(file, old, H5P_DEFAULT) >= 0 && make(file) >= 0); };
}

void add_attribute(hid_t file, const char* object, const char* name, hid_t type, hid_t space,
                   const void* data) {
    const hid_t o = H5Oopen(file, object, H5P_DEFAULT);
    H5Adelete(o, name);
    const hid_t a = H5Acreate2(o, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    require(a >= 0 && (!data || H5Awrite(a, type, data) >= 0));
    H5Aclose(a);
    H5Oclose(o);
    H5Sclose(space);
}

size_t pass_filter(unsigned, size_t, const unsigned*, size_t bytes, size_t*, void**) { return bytes; }

// --- a file written by our own writer: every hash is right, only the content is not -----------------

using Change = std::function<void(hdf5::Node& root)>;

template <class T>
void copy_array(hdf5::Reader& reader, hdf5::Writer& writer, const std::string& path) {
    const std::vector<T> values = reader.read<std::vector<T>>(path);
    writer.write(path, std::span<const T>(values));
}

void copy(hdf5::Reader& reader, hdf5::Writer& writer, const hdf5::Node& node) {
    const std::string path = node.path.empty() ? "" : node.path.substr(1);
    writer.node(path).attributes = node.attributes;
    for (const auto& [name, child] : node.children) {
        if (!child.is_array)
            copy(reader, writer, child);
        else if (name == "indices" || name == "residents" || name == "row_order" || name == "col_order")
            copy_array<std::uint32_t>(reader, writer, child.path.substr(1));
        else if (name == "data")
            copy_array<float>(reader, writer, child.path.substr(1));
        else if (name == "bytes")
            copy_array<char>(reader, writer, child.path.substr(1));
        else if (name == "ids")
            copy_array<std::int64_t>(reader, writer, child.path.substr(1));
        else
            copy_array<std::uint64_t>(reader, writer, child.path.substr(1));
    }
}

void resealed(const fs::path& from, const fs::path& to, const Change& change) {
    hdf5::writing(to, [&] {
        hdf5::Reader reader(from, "lockstep-schedules");
        hdf5::Writer writer(to, "lockstep-schedules", 0);
        copy(reader, writer, reader.root());
        change(writer.node());
        writer.commit();
    });
}

struct Files {
    test::TemporaryFolder folder;
    fs::path good = folder / "good.h5", bad = folder / "bad.h5";
    Files() {
        const Dataset d = test::sample_dataset();
        write_schedule_file(good, d, test::sample_schedules(d.graph), {});
    }
    void refused(const std::string& message) const {
        CHECK_THROWS_AS(read_schedule_file(bad), FormatError);
        CHECK_THROWS_WITH(read_schedule_file(bad), Contains(message) && Contains("bad.h5: "));
    }
};

}  // namespace

TEST_CASE("hostile HDF5 structure is refused", "[hostile]") {
    const Files files;
    test::write_file(files.folder / "secret", std::string(1 << 20, 'x'));
    fs::copy_file(files.good, files.folder / "other.h5");
    const std::string secret = (files.folder / "secret").string(),
                      other = (files.folder / "other.h5").string();
    const auto link_refused = "is not followed", not_chunked = "is not stored in chunks";
    const hid_t compound = H5Tcreate(H5T_COMPOUND, 8), vlen = H5Tvlen_create(H5T_STD_U32LE),
                vlen_text = H5Tcopy(H5T_C_S1), array_type = [] {
                    const hsize_t two = 2;
                    return H5Tarray_create2(H5T_STD_U32LE, 1, &two);
                }();
    H5Tinsert(compound, "a", 0, H5T_STD_U32LE), H5Tinsert(compound, "b", 4, H5T_STD_U32LE);
    H5Tset_size(vlen_text, H5T_VARIABLE);
    const hid_t odd = H5Tcopy(H5T_STD_U32LE);
    H5Tset_precision(odd, 31);
    H5Z_class2_t filter{H5Z_CLASS_T_VERS, 30'000, 1, 1, "unknown", nullptr, nullptr, pass_filter};
    H5Zregister(&filter);

    struct Case {
        std::string name;
        Alter make;
        std::string message;
    };
    const std::vector<Case> cases{
        {"soft link", link([](hid_t f) {
             return H5Lcreate_soft("/graph/indptr", f, "/graph/indices", H5P_DEFAULT, H5P_DEFAULT);
         }),
         link_refused},
        {"dangling soft link", link([](hid_t f) {
             return H5Lcreate_soft("/nowhere", f, "/graph/indices", H5P_DEFAULT, H5P_DEFAULT);
         }),
         link_refused},
        {"external link", link([&](hid_t f) {
             return H5Lcreate_external(other.c_str(), "/graph/indices", f, "/graph/indices", H5P_DEFAULT,
                                       H5P_DEFAULT);
         }),
         link_refused},
        {"external link in the place of a group",
         link(
             [&](hid_t f) {
                 return H5Lcreate_external(other.c_str(), "/graph", f, "/graph", H5P_DEFAULT, H5P_DEFAULT);
             },
             "/graph"),
         link_refused},
        {"a group inside itself",
         [](hid_t f) {
             require(H5Lcreate_hard(f, "/graph", f, "/graph/row_ids/again", H5P_DEFAULT, H5P_DEFAULT) >= 0);
         },
         "nested too deeply"},
        {"group in the place of a dataset", link([](hid_t f) {
             return H5Gclose(H5Gcreate2(f, "/graph/indices", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
         }),
         "content hash"},
        {"a type in the place of a dataset", link([](hid_t f) {
             const hid_t t = H5Tcopy(H5T_STD_U32LE);
             const herr_t r = H5Tcommit2(f, "/graph/indices", t, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
             H5Tclose(t);
             return r;
         }),
         "neither a group nor a dataset"},
        {"missing dataset", link([](hid_t) { return 0; }), "content hash"},
        {"too many objects",
         [](hid_t f) {
             for (int i = 0; i < 1'001; ++i)
                 H5Gclose(H5Gcreate2(f, ("/g" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT,
                                     H5P_DEFAULT));
         },
         "more objects"},
        {"too many attributes",
         [](hid_t f) {
             for (std::int64_t i = 0; i < 1'001; ++i)
                 add_attribute(f, "/graph", ("a" + std::to_string(i)).c_str(), H5T_NATIVE_INT64,
                               H5Screate(H5S_SCALAR), &i);
         },
         "more than Lockstep writes"},
        {"external storage",
         indices({.chunk = {},
                  .properties = [&](hid_t p) { H5Pset_external(p, secret.c_str(), 0, 48); },
                  .write = false}),
         not_chunked},
        {"virtual dataset",
         indices({.chunk = {},
                  .properties =
                      [&](hid_t p) {
                          const hsize_t n = 12;
                          const hid_t space = H5Screate_simple(1, &n, nullptr);
                          H5Pset_virtual(p, space, other.c_str(), "/graph/indices", space);
                          H5Sclose(space);
                      },
                  .write = false}),
         not_chunked},
        {"contiguous", indices({.chunk = {}}), not_chunked},
        {"compact", indices({.chunk = {}, .properties = [](hid_t p) { H5Pset_layout(p, H5D_COMPACT); }}),
         not_chunked},
        {"variable length", indices({.type = vlen, .write = false}), "unexpected element type"},
        {"variable-length text", indices({.type = vlen_text, .write = false}), "unexpected element type"},
        {"compound", indices({.type = compound}), "unexpected element type"},
        {"array type", indices({.type = array_type}), "unexpected element type"},
        {"64 bits where 32 belong", indices({.type = H5T_STD_U64LE}), "unexpected element type"},
        {"signed", indices({.type = H5T_STD_I32LE}), "unexpected element type"},
        {"float", indices({.type = H5T_IEEE_F32LE}), "unexpected element type"},
        {"big-endian", indices({.type = H5T_STD_U32BE}), "unexpected element type"},
        {"31 bits", indices({.type = odd}), "unexpected element type"},
        {"rank 2", indices({.extent = {3, 4}, .chunk = {3, 4}}), "has rank 2; expected 1"},
        {"rank 3", indices({.extent = {3, 2, 2}, .chunk = {3, 2, 2}}), "unexpected rank"},
        {"one entry more", indices({.extent = {13}}), "has extent 13; expected 12"},
        {"extensible", indices({.limit = {H5S_UNLIMITED}}), "is extensible"},
        {"4 TiB declared", indices({.extent = {hsize_t{1} << 40}, .chunk = {1 << 18}, .write = false}),
         "but the file stores"},
        {"an extent that overflows",
         indices({.extent = {hsize_t{1} << 62, 16}, .chunk = {1, 16}, .write = false}), "impossible size"},
        {"4 TiB of deflated zeros declared",
         indices({.extent = {hsize_t{1} << 40},
                  .chunk = {1 << 18},
                  .properties = [](hid_t p) { H5Pset_deflate(p, 9); },
                  .write = false}),
         "but the file stores"},
        {"huge chunk", indices({.extent = {hsize_t{1} << 31}, .chunk = {1 << 29}, .write = false}),
         "more than 16 MiB"},
        {"deflated twice",
         indices({.properties = [](hid_t p) { H5Pset_deflate(p, 1), H5Pset_deflate(p, 1); }}),
         "deflated twice"},
        {"unknown filter",
         indices({.properties = [](hid_t p) { H5Pset_filter(p, 30'000, H5Z_FLAG_OPTIONAL, 0, nullptr); }}),
         "uses HDF5 filter 30000"},
        {"scale-offset filter",
         indices({.properties = [](hid_t p) { H5Pset_scaleoffset(p, H5Z_SO_INT, 0); }}),
         "uses HDF5 filter 6"},
        {"variable-length attribute",
         [&](hid_t f) {
             const char* text = "x";
             add_attribute(f, "/graph", "kind", vlen_text, H5Screate(H5S_SCALAR), &text);
         },
         "unexpected type"},
        {"compound attribute",
         [&](hid_t f) {
             const std::uint32_t v[2] = {};
             add_attribute(f, "/graph", "kind", compound, H5Screate(H5S_SCALAR), v);
         },
         "unexpected type"},
        {"null attribute",
         [](hid_t f) { add_attribute(f, "/graph", "kind", H5T_STD_I64LE, H5Screate(H5S_NULL), nullptr); },
         "unexpected shape"},
        {"long list attribute",
         [](hid_t f) {
             const hsize_t n = 2000;
             const std::vector<std::int64_t> v(n);
             add_attribute(f, "/graph", "shape", H5T_NATIVE_INT64, H5Screate_simple(1, &n, nullptr),
                           v.data());
         },
         "unexpected shape"},
        {"attribute of another value",
         [](hid_t f) {
             const std::int64_t v = 0;
             add_attribute(f, "/graph", "directed", H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &v);
         },
         "content hash"},
        {"other content", indices({}), "does not agree with its hash"},
    };
    for (const Case& c : cases) {
        INFO(c.name);
        fs::copy_file(files.good, files.bad, fs::copy_options::overwrite_existing);
        alter(files.bad, c.make);
        files.refused(c.message);
    }
    H5Zunregister(30'000);
    for (const hid_t t : {compound, vlen, vlen_text, array_type, odd}) H5Tclose(t);
}

TEST_CASE("a filter that this program does not have is refused", "[hostile]") {
    const Files files;
    H5Z_class2_t filter{H5Z_CLASS_T_VERS, 30'001, 1, 1, "unknown", nullptr, nullptr, pass_filter};
    H5Zregister(&filter);
    fs::copy_file(files.good, files.bad);
    alter(files.bad,
          indices({.properties = [](hid_t p) { H5Pset_filter(p, 30'001, H5Z_FLAG_MANDATORY, 0, nullptr); }}));
    H5Zunregister(30'001);
    files.refused("uses HDF5 filter 30001");
}

TEST_CASE("a deflate bomb is refused by its hash, not by the memory it takes", "[hostile]") {
    // 64 MiB of zeros in 64 KiB: inside the ratio of zlib and inside any memory, so it may be read.
    const Files files;
    fs::copy_file(files.good, files.bad);
    alter(files.bad, [](hid_t file) {
        replace_array(file, "/schedules/serial/order", [&] {
            const hsize_t n = 1 << 24, chunk = 1 << 18;
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, nullptr);
            H5Pset_chunk(creation, 1, &chunk), H5Pset_deflate(creation, 9);
            const hid_t dataset = H5Dcreate2(file, "/schedules/serial/order", H5T_STD_U32LE, space,
                                             H5P_DEFAULT, creation, H5P_DEFAULT);
            const std::vector<std::uint32_t> zeros(n);
            require(H5Dwrite(dataset, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()) >= 0);
            H5Sclose(space), H5Pclose(creation);
            return dataset;
        });
    });
    files.refused("does not agree with its hash");
}

TEST_CASE("attributes that lie are refused, their hash being right", "[hostile]") {
    const Files files;
    using List = std::vector<std::int64_t>;
    const auto graph = [](hdf5::Node& root) -> hdf5::Node& { return root.children.at("graph"); };
    const auto serial = [](hdf5::Node& root) -> hdf5::Node& {
        return root.children.at("schedules").children.at("serial");
    };
    struct Case {
        std::string name;
        Change change;
        std::string message;
    };
    const std::vector<Case> cases{
        {"format is missing", [](hdf5::Node& r) { r.attributes.erase("format"); }, "not one of Lockstep's"},
        {"another format", [](hdf5::Node& r) { r.set("format", "lockstep-poems"); },
         "is a lockstep-poems file"},
        {"a newer major version", [](hdf5::Node& r) { r.set("version", "2.0"); },
         "written by a newer Lockstep, format 2.0; this program reads 1.x"},
        {"an older major version", [](hdf5::Node& r) { r.set("version", "0.9"); }, "an older Lockstep"},
        {"no version number", [](hdf5::Node& r) { r.set("version", "1.x"); }, "expected MAJOR.MINOR"},
        {"version as a number", [](hdf5::Node& r) { r.set("version", 1); }, "is not text"},
        {"negative rows",
         [&](hdf5::Node& r) {
             graph(r).set("shape", List{-6, 4});
         },
         "impossible shape"},
        {"more rows than ids can name",
         [&](hdf5::Node& r) {
             graph(r).set("shape", List{std::int64_t{1} << 32, 4});
         },
         "impossible shape"},
        {"a shape of three",
         [&](hdf5::Node& r) {
             graph(r).set("shape", List{6, 4, 1});
         },
         "shape of 3 numbers"},
        {"rows that the arrays do not have",
         [&](hdf5::Node& r) {
             graph(r).set("shape", List{7, 4});
         },
         "/graph/indptr has extent 7; expected 8"},
        {"4 billion rows",
         [&](hdf5::Node& r) {
             graph(r).set("shape", List{max_vertices, 4});
         },
         "/graph/indptr has extent"},
        {"edges that the arrays do not have", [&](hdf5::Node& r) { graph(r).set("edges", 11); },
         "expected 11"},
        {"negative edges", [&](hdf5::Node& r) { graph(r).set("edges", -1); }, "not below 0"},
        {"missing attribute", [&](hdf5::Node& r) { graph(r).attributes.erase("directed"); },
         "has no attribute 'directed'"},
        {"another kind of graph", [&](hdf5::Node& r) { graph(r).set("kind", "hyper"); },
         "one of: bipartite, square"},
        {"square with fewer columns", [&](hdf5::Node& r) { graph(r).set("kind", "square"); }, "hash"},
        {"a flag of 2", [&](hdf5::Node& r) { graph(r).set("directed", 2); }, "expected 0 or 1"},
        {"weights that are said to be absent", [&](hdf5::Node& r) { graph(r).set("weighted", false); },
         "/graph/data has extent 12; expected 0"},
        {"another largest degree", [&](hdf5::Node& r) { graph(r).set("max_col_degree", 4); },
         "largest degree"},
        {"another graph hash", [&](hdf5::Node& r) { graph(r).set("hash", "00"); },
         "the graph does not agree with its hash"},
        {"another array hash", [&](hdf5::Node& r) { graph(r).children.at("data").set("hash", "00"); },
         "/graph/data does not agree with its hash"},
        {"an array without hash",
         [&](hdf5::Node& r) { graph(r).children.at("data").attributes.erase("hash"); },
         "/graph/data has no attribute 'hash'"},
        {"ids of an unknown kind",
         [&](hdf5::Node& r) { graph(r).children.at("row_ids").set("kind", "uuid"); },
         "one of: range, integer, string"},
        {"row ids that are those of the rows",
         [&](hdf5::Node& r) { graph(r).children.at("row_ids").set("kind", "same-as-rows"); },
         "one of: range, integer, string"},
        {"column ids that are those of more rows",
         [&](hdf5::Node& r) { graph(r).children.at("col_ids").set("kind", "same-as-rows"); }, "not as many"},
        {"as many ids as there are not",
         [&](hdf5::Node& r) { graph(r).children.at("row_ids").set("size", 5); }, "has 5 ids; expected 6"},
        {"a range past 2^63",
         [&](hdf5::Node& r) {
             auto& n = graph(r).children.at("row_ids");
             n.set("kind", "range"), n.set("base", std::numeric_limits<std::int64_t>::max());
         },
         "past 2^63"},
        {"seconds that are not a number",
         [](hdf5::Node& r) {
             r.children.at("preprocess").set("seconds_read", std::numeric_limits<double>::quiet_NaN());
         },
         "expected a finite number"},
        {"negative seconds", [&](hdf5::Node& r) { serial(r).set("seconds", -1.0); }, "not below 0"},
        {"two schedules in one place", [&](hdf5::Node& r) { serial(r).set("position", 1); }, "position"},
        {"a position out of range", [&](hdf5::Node& r) { serial(r).set("position", 2); }, "position"},
        {"another promise", [&](hdf5::Node& r) { serial(r).set("disjoint", "most"); },
         "one of: none, row, col, both"},
        {"a promise that the hash does not know", [&](hdf5::Node& r) { serial(r).set("maximal", true); },
         "does not agree with its hash"},
        {"more locked edges than edges", [&](hdf5::Node& r) { serial(r).set("locked", 13); }, "hash"},
        {"other statistics", [&](hdf5::Node& r) { serial(r).set("rounds", 1); }, "statistics"},
        {"a missing group", [](hdf5::Node& r) { r.children.erase("preprocess"); }, "no group /preprocess"},
        {"a parameter that is a number",
         [&](hdf5::Node& r) { serial(r).children.at("parameters").set("x", 1); }, "is not text"},
    };
    for (const Case& c : cases) {
        INFO(c.name);
        fs::remove(files.bad);
        resealed(files.good, files.bad, c.change);
        files.refused(c.message);
    }
}

TEST_CASE("a newer minor version with more attributes, groups and arrays is read", "[hostile]") {
    const Files files;
    hdf5::writing(files.bad, [&] {
        hdf5::Reader reader(files.good, "lockstep-schedules");
        hdf5::Writer writer(files.bad, "lockstep-schedules", 0);
        copy(reader, writer, reader.root());
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
    const Files files;
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
    graph("/graph/indptr do not run", [](Dataset& d) { d.graph.row_offsets[0] = 1; });
    graph("/graph/indptr do not run", [](Dataset& d) { d.graph.row_offsets.back() = EdgeId{1} << 60; });
    graph("permutation", [](Dataset& d) { d.graph.input_order[0] = d.graph.input_order[1]; });
    graph("permutation", [](Dataset& d) { d.graph.input_order[0] = 12; });
    graph("not sorted and distinct", [](Dataset& d) { d.row_ids = IntegerIds{{1, 2, 2, 3, 4, 5}}; });
    graph("has 5 ids; expected 6", [](Dataset& d) { d.row_ids = IntegerIds{{1, 2, 3, 4, 5}}; });
    schedule("order is not a permutation", [](Schedule& s) { s.order[0] = s.order[1]; });
    schedule("order is not a permutation", [](Schedule& s) { s.order[0] = 1'000'000; });
    schedule("order is not a permutation", [](Schedule& s) { s.order.pop_back(); });
    schedule("task_offsets do not run monotonely from 0 to 11", [](Schedule& s) {
        s.level(Level::task) = {1, 1, 11};
    });
    schedule("task_offsets do not run monotonely from 0 to 11", [](Schedule& s) {
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
    const Files files;
    std::string content = test::read_file(files.good);
    SECTION("an old superblock") {
        const hid_t file = H5Fcreate(files.bad.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        require(file >= 0 && H5Fclose(file) >= 0);
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
        require(file >= 0 && H5Fclose(file) >= 0);
        H5Pclose(access);
        files.refused("is an HDF5 file, but not one of Lockstep's");
    }
    SECTION("the signature alone") {
        test::write_file(files.bad, content.substr(0, 9));
        files.refused("damaged or cut off");
    }
}
