// Tests of sparse matrices that Python's libraries for AnnData, 10x and scipy write: they are read correctly,
// or refused with advice on exporting them.
#include <fmt/format.h>

#include <cstdlib>

#include "reader_support.hpp"

using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

/// The files that matrices.py writes. `missing` is true if Python or h5py is not installed.
struct Matrices {
    test::TemporaryFolder folder;
    bool missing;
    Matrices()
        : missing(std::system(fmt::format("/usr/bin/python3 -W ignore '{}/formats/matrices.py' '{}' 2>'{}'",
                                          LOCKSTEP_TEST_DATA "/..", folder.path().string(),
                                          (folder / "err").string())
                                  .c_str()) != 0) {
        if (missing && std::system("/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null") == 0)
            FAIL(test::read_file(folder / "err"));
        if (missing) test::skip("no h5py");
    }
};

/// Returns the entries in the order of rows and columns: "c-b g1 5; …".
std::string entries(const Dataset& d) {
    std::string text;
    for (VertexId row = 0; row < d.graph.rows; ++row) {
        for (const EdgeId e : d.graph.edges_of(row))
            text += fmt::format("{} {} {}; ", d.row_ids.name(row), d.col_ids.name(d.graph.col[e]),
                                d.graph.value.empty() ? 1 : d.graph.value[e]);
    }
    return text;
}

}  // namespace

TEST_CASE("AnnData, 10x and scipy matrices are read", "[matrices]") {
    const Matrices matrices;
    if (matrices.missing) return;
    const std::string named = "a-a g2 4; c-b g1 5; c-b g3 3.5; d-d g1 1; d-d g2 2; ",
                      numbered = "0 0 5; 0 2 3.5; 1 1 4; 2 0 1; 2 1 2; ";
    struct Case {
        const char *name, *format;
        std::string entries;
    };
    const std::vector<Case> cases{
        {"good-csr.h5ad", "anndata", named},
        {"good-csc.h5ad", "anndata", named},
        {"good-gzip.h5ad", "anndata", named},
        {"good-wide.h5ad", "anndata", named},
        {"good-old.h5ad", "anndata", named},
        {"good-fixed.h5ad", "anndata", named},
        {"good-named.h5ad", "anndata", named},
        {"good-bool.h5ad", "anndata", "a-a g2 1; c-b g1 1; c-b g3 1; d-d g1 1; d-d g2 1; "},
        {"good-empty-row.h5ad", "anndata", "c-b g1 5; c-b g3 3.5; d-d g2 2; "},
        {"good-numbered.h5ad", "anndata", "9 g2 4; 10 g1 5; 10 g3 3.5; 11 g1 1; 11 g2 2; "},
        {"good-10x.h5", "10x", named},
        {"good-10x-ints.h5", "10x", "a-a g2 8; c-b g1 10; c-b g3 7; d-d g1 2; d-d g2 4; "},
        {"good-csr.npz", "scipy-npz", numbered},
        {"good-csc.npz", "scipy-npz", numbered},
        {"good-coo.npz", "scipy-npz", numbered},
        {"good-csr-deflated.npz", "scipy-npz", numbered},
        {"good-csc-deflated.npz", "scipy-npz", numbered},
        {"good-coo-deflated.npz", "scipy-npz", numbered},
        {"good-text.npz", "scipy-npz", numbered},
        {"good-array.npz", "scipy-npz", numbered},
        {"good-bool.npz", "scipy-npz", "0 0 1; 0 2 1; 1 1 1; 2 0 1; 2 1 1; "},
    };
    for (const Case& c : cases) {
        INFO(c.name);
        const Dataset d = read_dataset(matrices.folder / c.name);
        CHECK(entries(d) == c.entries);
        CHECK(d.source.format == c.format);
        CHECK(d.graph.rows == 3);
        CHECK(d.graph.cols == 3);
        CHECK(d.graph.shape ==
              (std::string(c.format) == "scipy-npz" ? GraphShape::square : GraphShape::bipartite));
        // The format is detected by content, whatever the name.
        std::filesystem::copy_file(matrices.folder / c.name,
                                   matrices.folder / (std::string(c.name) + ".txt"));
        CHECK(read_dataset(matrices.folder / (std::string(c.name) + ".txt")).source.format == c.format);
    }
    const auto path = matrices.folder / "good-csr.npz";
    CHECK(read_dataset(path, {.shape = GraphShape::bipartite}).graph.shape == GraphShape::bipartite);
    CHECK(read_dataset(path, {.shape = GraphShape::square, .undirected = true}).graph.edges() == 8);
    CHECK(read_dataset(path, {.format = "scipy-npz"}).graph.edges() == 5);
    CHECK_THROWS_WITH(read_dataset(path, {.format = "anndata"}), Contains("is scipy-npz, not anndata"));
    CHECK_THROWS_WITH(read_dataset(path, {.header = true}), Contains("read as scipy-npz"));
    CHECK_THROWS_WITH(read_dataset(path, {.memory_limit = 1000}), Contains("the limit is"));
    CHECK_THROWS_WITH(read_dataset(matrices.folder / "good-csr.h5ad", {.memory_limit = 100}),
                      Contains("the limit is"));
}

TEST_CASE("odd matrices are refused with the remedy", "[matrices]") {
    const Matrices matrices;
    if (matrices.missing) return;
    const std::vector<std::pair<const char*, const char*>> cases{
        {"dense.h5ad", "X is a dense matrix of 3 x 3; expected a sparse one: make it sparse in Python"},
        {"no-x.h5ad", "a.layers[NAME]"},
        {"encoding.h5ad", "expected csr_matrix or csc_matrix"},
        {"shape.h5ad", "has no shape of two numbers"},
        {"rows.h5ad", "obs has 3 names; the matrix has 4"},
        {"columns.h5ad", "var has 3 names; the matrix has 2"},
        {"negative-shape.h5ad", "the shape has -3 rows"},
        {"index.h5ad", "entry 1 of X/indices is 3; expected 0 … 2"},
        {"negative-index.h5ad", "entry 1 of X/indices is -1; expected 0 … 2"},
        {"offsets.h5ad", "X/indptr does not increase monotonically from 0 to 5"},
        {"offsets-end.h5ad", "X/indptr does not increase monotonically from 0 to 5"},
        {"nan.h5ad", "entry 1 of X/data: the weight nan is not a finite number"},
        {"too-large.h5ad", "entry 1 of X/data: the weight inf is not a finite number"},
        {"short-data.h5ad", "X/data has 2 entries, but X/indices has 5"},
        {"twice.h5ad", "the name \"a\" occurs twice"},
        {"empty-name.h5ad", "is empty"},
        {"long-names.h5ad", "obs/_index has names of more than 4096 bytes"},
        {"long-name.h5ad", "is 4097 bytes long; expected at most 4096"},
        {"control.h5ad", "var: the name \"g"},
        {"latin1.h5ad", "var: the name \"g"},
        {"lzf.h5ad", "HDF5 filter 32000 (LZF); expected gzip"},
        {"float-index.h5ad", "X/indices does not contain whole numbers"},
        {"complex.h5ad", "X/data does not contain numbers"},
        {"table.h5ad", "is a table of an old version of AnnData"},
        {"categorical.h5ad", "astype(str)"},
        {"no-names.h5ad", "there is no array var/_index of names"},
        {"external.h5ad", "X/data is a link to somewhere else"},
        {"soft.h5ad", "X is a link to somewhere else"},
        {"huge.h5ad", "X/data declares 1099511627776 entries, but the file stores 0 bytes"},
        {"matrix-data.h5ad", "X/data is not an array of rank 1"},
        {"mudata.h5mu", "MuData file of several matrices"},
        {"loom.loom", "Loom file"},
        {"other.h5", "neither AnnData nor 10x (it has \"table\"); save the matrix in Python"},
        {"cellranger2.h5", "matrix of CellRanger 2"},
        {"10x-shape.h5", "matrix/shape has not two numbers"},
        {"10x-barcodes.h5", "matrix/barcodes has 2 names; the matrix has 3"},
        {"10x-features.h5", "there is no array matrix/features/id"},
        {"cut.h5ad", "cannot be opened, it is damaged or cut off"},
        {"dia.npz", "in the format \"dia\"; expected csr, csc or coo: save the matrix in Python"},
        {"no-format.npz", "has no array format"},
        {"no-data.npz", "has no array data"},
        {"no-indptr.npz", "has no array indptr"},
        {"one-shape.npz", "has a shape of 1 numbers"},
        {"rows.npz", "indptr.npy has 4 entries; expected 3"},
        {"index.npz", "entry 1 of indices.npy is 9; expected 0 … 2"},
        {"negative.npz", "entry 1 of indices.npy is -1"},
        {"coo-row.npz", "entry 3 of row.npy is 3"},
        {"coo-short.npz", "row.npy has 3 entries, but col.npy has 5"},
        {"nan.npz", "the weight nan is not a finite number"},
        {"inf.npz", "the weight inf is not a finite number"},
        {"big-endian.npz", "is big-endian"},
        {"complex.npz", "expected integers, float32, float64 or bool"},
        {"half.npz", "astype(\"float32\")"},
        {"objects.npz", "which is not supported; expected numbers"},
        {"float-index.npz", "indices.npy is not an array of whole numbers"},
        {"matrix-data.npz", "expected arrays of equal length"},
        {"arrays.npz", "not a matrix of scipy.sparse; save the matrix in Python: scipy.sparse.save_npz"},
        {"array.npy", "scipy.sparse.save_npz"},
        {"cut.npz", "damaged or cut"},
        {"flip.npz", "damaged or cut off"},
    };
    for (const auto& [name, message] : cases) {
        INFO(name);
        const auto path = matrices.folder / name;
        CHECK_THROWS_AS(read_dataset(path), FormatError);
        CHECK_THROWS_WITH(read_dataset(path), Contains(message) && Contains(path.string()));
    }
}

TEST_CASE("Lockstep's own files and matrices through pipes are sent elsewhere", "[matrices]") {
    CHECK_THROWS_WITH(read_dataset(std::string(LOCKSTEP_TEST_DATA) + "/files/schedules-1.1.h5"),
                      Contains("lockstep-inspect"));
    CHECK_THROWS_WITH(read_dataset(std::string(LOCKSTEP_TEST_DATA) + "/files/model-1.1.h5"),
                      Contains("lockstep-inspect"));
}
