// The states and payloads of an update: arrays of files, by vertex and by edge of the input.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lockstep/executor/update/module.hpp"
#include "lockstep/executor/update/run.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/npy.hpp"

namespace lockstep::update {

/// The source of states: a file of NumPy, or an array in memory.
struct StateSource {
    std::string path;                                 ///< path of a file, or name of an array in memory
    std::shared_ptr<const NpyArray> array = nullptr;  ///< the array itself, if it is in memory
};
struct StateFiles {
    std::optional<StateSource> vertices, rows, cols, edges;
};

/// The layout and the name of a struct of an update.
struct Struct {
    const Layout& layout;
    std::string name;  ///< "Spring::Vertex"
};

/// The states of one array, as structs in the order of the run. A row of the array has the numbers of the
/// struct, all of one type; or is structured, with the fields of the struct by name; or has the bytes of the
/// struct.
class StateArray {
public:
    StateArray() = default;
    /// Reads the states of vertices: one row per vertex in the order of the IDs, or row ID for a vertex whose
    /// ID is a number. Without a source all states are zeros. `option`: the option that names the source.
    /// Throws FormatError if sizes or types differ.
    StateArray(const std::string& option, const std::optional<StateSource>& source, const Struct& type,
               const IdMap& ids);
    /// Reads the payloads of edges: one row per edge in the order of the input; the i-th edge of the plan has
    /// row `order`[i]. Without a source the payloads are the weights, if the struct is one number of four
    /// bytes, else zeros. Throws FormatError, and Error (bad_input) for a weight that the number cannot hold.
    StateArray(const std::optional<StateSource>& source, const Struct& type, const Graph& graph,
               const Array<EdgeId>& order);

    std::byte* data() { return bytes_.data(); }
    std::span<const std::byte> bytes() const { return bytes_; }
    /// Returns the array as it was read, with the states of the run in its rows.
    NpyArray result() const;

private:
    /// A range of bytes, with its offset in a row of the array and its offset in the struct.
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
    Array<std::uint64_t> row_;  // state of the run -> row of the array
    Array<std::byte> bytes_;
};

/// The plan of a run, and its arrays with their present states.
struct RunArrays {
    EdgePlan plan;
    StateArray rows, cols, edges;
    Memory memory() {
        std::byte* const own = plan.ends == Ends::vertices ? rows.data() : cols.data();
        return {rows.data(), own, edges.data()};
    }
    /// Returns the hash of the states and, `with_edges`, of the payloads in the order of the input.
    std::string hash(bool with_edges) const;
};

}  // namespace lockstep::update
