// Conversion of the sparse matrices in binary files (HDF5, NumPy) to edges. A matrix is stored by compressed
// rows (csr), by compressed columns (csc) or as coordinates (coo).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "edges.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

[[noreturn]] inline void fail(const std::string& message) { throw Error(Failure::bad_input, message); }

/// An array of numbers in a file, which is read sequentially in pieces. read() converts integers to 64 bits,
/// or any numbers to single precision. It throws Error if the array cannot be read or has another type of
/// numbers.
class NumberArray {
public:
    virtual ~NumberArray() = default;
    virtual std::uint64_t size() const = 0;
    virtual const std::string& name() const = 0;
    virtual void read(std::uint64_t begin, std::span<std::int64_t> values) = 0;
    virtual void read(std::uint64_t begin, std::span<float> values) = 0;
    /// Returns the number of entries that should be read at a time, for speed.
    virtual std::uint64_t piece() const { return 1 << 16; }

    std::vector<std::int64_t> all();
};

/// A sparse matrix, as arrays of a file.
struct SparseMatrix {
    enum class Layout { csr, csc, coo } layout = Layout::csr;
    std::uint64_t rows = 0, cols = 0;
    /// Offsets of the rows (csr, rows + 1 numbers) or of the columns (csc, cols + 1 numbers); coo: not used.
    NumberArray* offsets = nullptr;
    NumberArray* indices = nullptr;      ///< csr and coo: column of each entry; csc: row of each entry
    NumberArray* row_indices = nullptr;  ///< coo: row of each entry; otherwise not used
    NumberArray* values = nullptr;
};

/// Reads the entries of a matrix as edges, in the order of the file. Throws Error if offsets do not ascend,
/// indices are out of range, or weights are not finite. O(entries).
std::vector<Triple> read_entries(const SparseMatrix& matrix, const ReadOptions& options,
                                 MemoryBudget& budget);

/// The names of the rows or columns of a matrix, converted to IDs in ascending order, and the vertex that
/// belongs to each row or column. The IDs are integers if all names are integers.
struct NamedPositions {
    IdMap ids;
    std::vector<VertexId> vertex;
};
/// Converts names to IDs. `what` describes them for messages. Throws Error if a name occurs twice or cannot
/// be an ID.
NamedPositions number_names(std::vector<std::string> names, const std::string& what);

/// Converts a number of vertices that a file declares. Throws Error if it is out of range; `what` describes
/// it.
VertexId checked_vertices(std::int64_t count, const char* what);

}  // namespace lockstep::readers
