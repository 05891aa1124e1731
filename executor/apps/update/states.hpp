// The states of an update's vertices and the data of its edges: reads them from NumPy arrays in files or in
// memory, and arranges them in the order of a run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lockstep/executor/update/module.hpp"
#include "lockstep/executor/update/run.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/npy.hpp"

namespace lockstep::update {

/// The source of states: a NumPy file (.npy), or an array in memory.
struct StateSource {
    std::string path;  ///< path of the file, or the name of the array in memory
    std::shared_ptr<const NpyArray> array = nullptr;  ///< the array, if it is in memory; otherwise null
};
struct StateFiles {
    std::optional<StateSource> vertices, rows, cols, edges;
};

/// The layout and the name of one of an update's structs.
struct Struct {
    const Layout& layout;
    std::string name;  ///< name of the struct, such as "Spring::Vertex"
};

/// The states of all vertices of a side, or the data of all edges, as structs in the order of the run. Each
/// row of the source array is one struct, in one of three forms: the numbers of the struct, if all have one
/// type; named fields (a structured array); or the bytes of the struct.
class StateArray {
public:
    StateArray() = default;
    /// Reads the states of vertices. The rows of the array are in the order of the vertices; or, if the IDs
    /// of all vertices are numbers, row i belongs to the vertex with the ID i. Without a source, all states
    /// are zero. `option` is the name of the option with the source, for messages. Throws FormatError if
    /// sizes or types do not match.
    StateArray(const std::string& option, const std::optional<StateSource>& source, const Struct& type,
               const IdMap& ids);
    /// Reads the data of edges. The array has one row per edge in the order of the input, and edge i of the
    /// plan uses row `order`[i]. Without a source, the data are the weights of the edges if the struct is one
    /// number of four bytes, otherwise zero. Throws FormatError if sizes or types do not match, and Error
    /// (bad_input) if the number cannot represent a weight.
    StateArray(const std::optional<StateSource>& source, const Struct& type, const Graph& graph,
               const Array<EdgeId>& order);

    std::byte* data() { return bytes_.data(); }
    std::span<const std::byte> bytes() const { return bytes_; }
    /// Returns a copy of the source array in which the states after the run replace the original ones.
    NpyArray result() const;

private:
    /// A range of bytes that the array's rows and the struct have in common: its offsets in a row and in the
    /// struct, and its size.
    struct Part {
        std::size_t from, to, bytes;
    };
    void take(const StateSource& source, const Struct& type, const char* what);
    void add_part(std::size_t from, std::size_t to, std::size_t bytes);
    void find_parts(const Struct& type, const char* what);
    void find_parts_by_name(const Struct& type, const std::vector<NpyField>& fields);
    void gather(std::size_t bytes);

    NpyArray file_;
    std::vector<Part> parts_;
    Array<std::uint64_t> row_;  // row in the array of each state, in the order of the run
    Array<std::byte> bytes_;
};

/// The plan of a run, and the current states of its vertices and edges.
struct RunArrays {
    EdgePlan plan;
    StateArray rows, cols, edges;
    Memory memory() {
        std::byte* const own = plan.ends == Ends::vertices ? rows.data() : cols.data();
        return {rows.data(), own, edges.data()};
    }
    /// Returns a hash of the states of all vertices and, if `with_edges`, of the edge data, in the order of
    /// the input.
    std::string hash(bool with_edges) const;
};

}  // namespace lockstep::update
