// Tests of malicious files that were altered with HDF5 itself. Each kind is refused with FormatError, for the
// intended reason, before memory is allocated or another file is opened.
#define H5_USE_110_API 1
#include <hdf5.h>

#include <functional>

#include "hostile_support.hpp"
#include "seal_support.hpp"

using namespace lockstep;
namespace fs = std::filesystem;

namespace {

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
    // HDF5 has cut off the seal. An attacker can compute it again.
    test::write_file(path, test::sealed(test::read_file(path)));
}

/// Deletes a dataset and replaces it by the dataset that `make` creates, with the hash of the old one. So the
/// sealed attributes of the file do not change.
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

/// Properties of a dataset that replaces /graph/indices (12 entries of u32).
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

}  // namespace

TEST_CASE("hostile HDF5 structure is refused", "[hostile]") {
    const test::HostileFiles files;
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
    const test::HostileFiles files;
    H5Z_class2_t filter{H5Z_CLASS_T_VERS, 30'001, 1, 1, "unknown", nullptr, nullptr, pass_filter};
    H5Zregister(&filter);
    fs::copy_file(files.good, files.bad);
    alter(files.bad,
          indices({.properties = [](hid_t p) { H5Pset_filter(p, 30'001, H5Z_FLAG_MANDATORY, 0, nullptr); }}));
    H5Zunregister(30'001);
    files.refused("uses HDF5 filter 30001");
}

TEST_CASE("a deflate bomb is refused by its hash, not by the memory it takes", "[hostile]") {
    // 64 MiB of zeros in 64 KiB: within the ratio of zlib and within the memory of any machine, so the array
    // may be read.
    const test::HostileFiles files;
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
