// The states and payloads of an update: arrays of files, by vertex and by edge of the input.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lockstep/executor/update/module.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/formats/npy.hpp"

namespace lockstep::update {

/// An array of NumPy's.
struct StateSource {
    std::string path;                                 ///< of a file, or what an array in memory is called
    std::shared_ptr<const NpyArray> array = nullptr;  ///< in memory
};
struct StateFiles {
    std::optional<StateSource> vertices, rows, cols, edges;
};

/// One array, and where the run has its entries.
class StateArray {
public:
    StateArray() = default;
    /// Of vertices: a row each, in the order of the ids, or row ID for a vertex whose id is a number. Without a
    /// file zeros. `option`: as it was given. Throws FormatError where sizes do not fit.
    StateArray(const std::string& option, const std::optional<StateSource>& source, std::size_t bytes,
               const IdMap& ids);
    /// Of edges: in the order of the input; place i of the plan has edge `order`[i]. Without a file the weights
    /// where an edge takes four bytes.
    StateArray(const std::optional<StateSource>& source, std::size_t bytes, const Graph& graph,
               const Array<EdgeId>& order);

    std::byte* data() { return bytes_.data(); }
    std::span<const std::byte> bytes() const { return bytes_; }
    /// As it was read, with what the run has made of its entries.
    NpyArray result() const;

private:
    void take(const StateSource& source, std::size_t bytes, const char* what);
    void gather(std::size_t bytes);

    NpyArray file_;
    Array<std::uint64_t> row_;  // entry of the run -> row of the file
    Array<std::byte> bytes_;
};

/// The plan of a run, and its arrays as they are now.
struct RunArrays {
    EdgePlan plan;
    StateArray rows, cols, edges;
    Memory memory() {
        std::byte* const own = plan.ends == Ends::vertices ? rows.data() : cols.data();
        return {rows.data(), own, edges.data()};
    }
    /// Of the states and, `with_edges`, the payloads in the order of the input.
    std::string hash(bool with_edges) const;
};

}  // namespace lockstep::update
