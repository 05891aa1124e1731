// Conversion of sparse matrices in binary files (HDF5, NumPy) to edges. They are stored by compressed rows,
// by compressed columns or as coordinates.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "edges.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

[[noreturn]] inline void fail(const std::string& message) { throw Error(Failure::bad_input, message); }

/// An array of numbers in a file, which is read sequentially in pieces. `read` converts integers to 64 bits,
/// or any numbers to single precision. It throws Error, also if the array has another type of numbers.
class NumberArray {
public:
    virtual ~NumberArray() = default;
    virtual std::uint64_t size() const = 0;
    virtual const std::string& name() const = 0;
    virtual void read(std::uint64_t begin, std::span<std::int64_t> values) = 0;
    virtual void read(std::uint64_t begin, std::span<float> values) = 0;
    /// Returns the number of entries that should be read at a time.
    virtual std::uint64_t piece() const { return 1 << 16; }

    std::vector<std::int64_t> all();
};

struct SparseMatrix {
    enum class Layout { csr, csc, coo } layout = Layout::csr;
    std::uint64_t rows = 0, cols = 0;
    NumberArray* offsets = nullptr;      ///< for csr and csc: rows + 1 or cols + 1 offsets
    NumberArray* indices = nullptr;      ///< columns for csr and coo, rows for csc
    NumberArray* row_indices = nullptr;  ///< rows, for coo
    NumberArray* values = nullptr;
};

/// Returns the entries as edges between positions, in the order of the file. Throws Error if offsets are not
/// monotone, indices are out of range or weights are not finite. O(entries).
std::vector<Triple> read_entries(const SparseMatrix& matrix, const ReadOptions& options, Budget& budget);

/// Names by position, converted to an id map, and the vertex of each position. The ids are integers if all
/// names are integers. number_names() throws Error if a name occurs twice or cannot be an id.
struct NamedPositions {
    IdMap ids;
    std::vector<VertexId> vertex;
};
NamedPositions number_names(std::vector<std::string> names, const std::string& what);

/// Returns the number of vertices that a file declares. Throws Error if it is out of range.
VertexId checked_vertices(std::int64_t count, const char* what);

}  // namespace lockstep::readers
