// Reader of sparse matrices of single-cell biology in HDF5: AnnData (.h5ad) and 10x Genomics (CellRanger's
// .h5). Rows are cells and columns are genes; their names are the IDs.
#include <fmt/format.h>

#include "../schema.hpp"
#include "../seal.hpp"
#include "lockstep/formats/input_file.hpp"
#include "matrix_file.hpp"
#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {

using hdf5::Hdf5Error;
using Kind = MatrixFile::Kind;

namespace {

constexpr const char* to_sparse =
    "make it sparse in Python: import anndata, scipy.sparse as sp; a = anndata.read_h5ad(\"FILE\"); a.X = "
    "sp.csr_matrix(a.X); a.write_h5ad(\"sparse.h5ad\")";
constexpr const char* write_again =
    "write it again in Python: import anndata; anndata.read_h5ad(\"FILE\").write_h5ad(\"new.h5ad\")";

std::vector<Triple> between(std::vector<Triple> edges, const NamedPositions& rows,
                            const NamedPositions& cols) {
    for (Triple& e : edges) e = {rows.vertex[e.row], cols.vertex[e.col], e.value};
    return edges;
}

ParsedFile named_matrix(const SparseMatrix& matrix, std::vector<std::string> row_names,
                        const std::string& row_what, std::vector<std::string> col_names,
                        const std::string& col_what, const FileJob& job) {
    const auto as_many = [](const std::vector<std::string>& names, std::uint64_t count,
                            const std::string& what) {
        if (names.size() != count)
            throw Hdf5Error(fmt::format("{} has {} names; the matrix has {}", what, names.size(), count));
    };
    as_many(row_names, matrix.rows, row_what);
    as_many(col_names, matrix.cols, col_what);
    for (const auto* names : {&row_names, &col_names}) {
        for (const std::string& name : *names)
            job.budget.charge(static_cast<double>(sizeof(std::string) + 2 * name.size()) + 20);
    }
    NamedPositions rows = number_names(std::move(row_names), row_what),
                   cols = number_names(std::move(col_names), col_what);
    ParsedFile parsed;
    parsed.edges = between(read_entries(matrix, job.options, job.budget), rows, cols);
    parsed.lines = parsed.edges.size();
    parsed.row_ids = std::move(rows.ids);
    parsed.col_ids = std::move(cols.ids);
    parsed.weighted = true;
    return parsed;
}

std::vector<std::string> index_of(const MatrixFile& file, const std::string& frame) {
    const Kind kind = file.kind(frame);
    if (kind == Kind::dataset)
        throw Hdf5Error(frame + " is a table of an old version of AnnData; " + write_again);
    if (kind == Kind::absent)
        throw Hdf5Error("there is no " + frame + " with the names; expected a file of AnnData");
    const std::string index = frame + "/" + file.text(frame, "_index").value_or("_index");
    if (file.kind(index) == Kind::group)
        throw Hdf5Error(
            index +
            " is not an array of names (categorical or nullable); make it one in Python: a.obs_names = "
            "a.obs_names.astype(str) (likewise var_names), and write the file again");
    return file.strings(index);
}

ParsedFile read_anndata_file(const MatrixFile& file, const FileJob& job) {
    if (file.kind("X") == Kind::absent) {
        throw Hdf5Error(
            "has no X; put the matrix there in Python: import anndata; a = anndata.read_h5ad(\"FILE\"); a.X "
            "= "
            "a.layers[NAME]; a.write_h5ad(\"new.h5ad\")");
    }
    if (file.kind("X") == Kind::dataset) {
        throw Hdf5Error(fmt::format("X is a dense matrix of {}; expected a sparse one: {}",
                                    fmt::join(file.extent("X"), " x "), to_sparse));
    }
    const auto encoding = file.text("X", "encoding-type"), old = file.text("X", "h5sparse_format");
    const std::string layout = encoding ? *encoding : old ? *old + "_matrix" : "";
    if (layout != "csr_matrix" && layout != "csc_matrix")
        throw Hdf5Error(fmt::format("X is encoded as {}; expected csr_matrix or csc_matrix: {}",
                                    shown(layout), to_sparse));
    const std::vector<std::int64_t> shape = file.integers("X", encoding ? "shape" : "h5sparse_shape");
    if (shape.size() != 2) throw Hdf5Error("X has no shape of two numbers; " + std::string(write_again));
    SparseMatrix matrix;
    matrix.layout = layout == "csr_matrix" ? SparseMatrix::Layout::csr : SparseMatrix::Layout::csc;
    matrix.rows = checked_vertices(shape[0], "rows");
    matrix.cols = checked_vertices(shape[1], "columns");
    const auto offsets = file.numbers("X/indptr"), indices = file.numbers("X/indices"),
               values = file.numbers("X/data");
    matrix.offsets = offsets.get(), matrix.indices = indices.get(), matrix.values = values.get();
    return named_matrix(matrix, index_of(file, "obs"), "obs", index_of(file, "var"), "var", job);
}

/// Reads a file of CellRanger 3 or later. It stores compressed columns, each of which is a cell; the indices
/// are genes ("features"). Cells become rows here.
ParsedFile read_10x_file(const MatrixFile& file, const FileJob& job) {
    const std::vector<std::int64_t> shape = file.numbers("matrix/shape")->all();
    if (shape.size() != 2) throw Hdf5Error("matrix/shape has not two numbers");
    SparseMatrix matrix;
    matrix.cols = checked_vertices(shape[0], "features");
    matrix.rows = checked_vertices(shape[1], "barcodes");
    const auto offsets = file.numbers("matrix/indptr"), indices = file.numbers("matrix/indices"),
               values = file.numbers("matrix/data");
    matrix.offsets = offsets.get(), matrix.indices = indices.get(), matrix.values = values.get();
    return named_matrix(matrix, file.strings("matrix/barcodes"), "matrix/barcodes",
                        file.strings("matrix/features/id"), "matrix/features/id", job);
}

[[noreturn]] void refuse(const MatrixFile& file) {
    if (file.kind("mod") == Kind::group)
        throw Hdf5Error(
            "is a MuData file of several matrices; write the one to read in Python: import muon; "
            "muon.read(\"FILE\").mod[NAME].write_h5ad(\"one.h5ad\")");
    if (file.kind("row_attrs") == Kind::group)
        throw Hdf5Error(
            "is a Loom file, whose matrix is dense; convert it in Python: import scanpy; "
            "scanpy.read_loom(\"FILE\", "
            "sparse=True).write_h5ad(\"new.h5ad\")");
    std::string names;
    for (const std::string& name : file.children("/")) {
        if (names.size() > 100) break;
        names += (names.empty() ? "" : ", ") + shown(name);
        if (file.kind(name + "/barcodes") == Kind::dataset)
            throw Hdf5Error(
                "is a matrix of CellRanger 2; convert it in Python: import scanpy; "
                "scanpy.read_10x_h5(\"FILE\").write_h5ad(\"new.h5ad\")");
    }
    throw Hdf5Error(
        fmt::format("is an HDF5 file that is neither AnnData nor 10x (it has {}); save the matrix in Python: "
                    "scipy.sparse.save_npz(\"matrix.npz\", matrix)",
                    names.empty() ? "nothing" : names));
}

template <class Read>
ParsedFile reading(const FileJob& job, Read&& read) {
    return hdf5::reading(job.path, [&] { return read(MatrixFile(job.path)); });
}

}  // namespace

ParsedFile read_anndata(const FileJob& job) {
    return reading(job, [&](const MatrixFile& file) { return read_anndata_file(file, job); });
}

ParsedFile read_10x(const FileJob& job) {
    return reading(job, [&](const MatrixFile& file) { return read_10x_file(file, job); });
}

/// Returns whether Lockstep has written the file. The last bytes are checked for a seal first, because HDF5
/// must not read bytes of a sealed file that were not checked.
static bool is_lockstep_hdf5(const std::filesystem::path& path) {
    if (hdf5::looks_sealed(hdf5::StoredFile(path))) return true;
    const auto format = MatrixFile(path).text("/", schema::format);
    return format && format->starts_with("lockstep-");
}

const char* hdf5_format(const std::filesystem::path& path) {
    return hdf5::reading(path, [&] {
        if (is_lockstep_hdf5(path))
            throw Hdf5Error(
                "is a file that Lockstep has written, and not an input; lockstep-inspect shows its contents");
        const MatrixFile file(path);
        if (file.kind("matrix/indptr") == Kind::dataset) return "10x";
        if (file.kind("obs") != Kind::absent && file.kind("var") != Kind::absent) return "anndata";
        refuse(file);
    });
}

}  // namespace lockstep::readers

bool lockstep::InputFile::is_lockstep_hdf5() const {
    if (!is_hdf5()) return false;
    // Lockstep writes a newer superblock than most other programs, so a file with superblock version 0 or 1
    // is not Lockstep's.
    if (head().size() > 8 && static_cast<unsigned char>(head()[8]) < 2) return false;
    return hdf5::reading(path_, [&] { return readers::is_lockstep_hdf5(path_); });
}
