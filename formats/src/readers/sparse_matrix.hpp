// Sparse matrices in binary files (HDF5, NumPy): compressed rows or columns, or coordinates, as edges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "edges.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

[[noreturn]] inline void fail(const std::string& message) { throw Error(Failure::bad_input, message); }

/// An array of numbers in a file, read piece by piece in its order. `read` throws Error, also for an array of
/// another kind: whole numbers go to 64 bits, any to single precision.
class NumberArray {
public:
    virtual ~NumberArray() = default;
    virtual std::uint64_t size() const = 0;
    virtual const std::string& name() const = 0;
    virtual void read(std::uint64_t begin, std::span<std::int64_t> values) = 0;
    virtual void read(std::uint64_t begin, std::span<float> values) = 0;
    /// Entries that are best read together.
    virtual std::uint64_t piece() const { return 1 << 16; }

    std::vector<std::int64_t> all();
};

struct SparseMatrix {
    enum class Layout { csr, csc, coo } layout = Layout::csr;
    std::uint64_t rows = 0, cols = 0;
    NumberArray* offsets = nullptr;      ///< csr, csc: rows + 1 or cols + 1
    NumberArray* indices = nullptr;      ///< csr: columns; csc: rows; coo: columns
    NumberArray* row_indices = nullptr;  ///< coo
    NumberArray* values = nullptr;
};

/// The entries as edges between positions, in the order of the file. Throws Error on offsets that are not
/// monotone, indices out of range and weights that are not finite. O(entries).
std::vector<Triple> read_entries(const SparseMatrix& matrix, const ReadOptions& options, Budget& budget);

/// Names by position as an id map, and the vertex of every position. Integers where all names are. Throws
/// Error on a name that occurs twice or cannot be an id.
struct NamedPositions {
    IdMap ids;
    std::vector<VertexId> vertex;
};
NamedPositions number_names(std::vector<std::string> names, const std::string& what);

/// Number of vertices that a file declares; throws Error where it is none.
VertexId checked_vertices(std::int64_t count, const char* what);

}  // namespace lockstep::readers
