// The shared library that lockstep-execute compiles at run time from a user-defined update (update.hpp) for
// CPUs. It exports one function, which returns a Module. The walks are in the program. The module only
// contains the layout of the user's structs, and runs the update on edges one after another. Most of the
// compile time is spent on headers, so this file includes only a few small ones.
#pragma once

// headers that an update may use without including them
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>

#include "lockstep/executor/update/layout.hpp"
#include "lockstep/executor/update/operator.hpp"

namespace lockstep::update {

/// The properties of a user-defined update: the layouts of its structs, and how it uses endpoints and
/// payloads.
struct Description {
    Layout row, col, edge, parameters;
    Ends ends;
    bool changes_edges;
};

/// The states and the payloads as bytes. `rows` and `cols` are indexed by vertex (for one set of vertices,
/// both are the same), `edges` has the order of the plan.
struct Memory {
    std::byte *rows, *cols, *edges;
};
/// The endpoints of the edges of a plan.
struct Endpoint {
    const VertexId *row, *col;
};

class Module {
public:
    virtual ~Module() = default;
    virtual const Description& description() const = 0;
    /// Returns the parameters (the struct Parameters of the update), which the caller must set before the
    /// first edge runs.
    virtual std::byte* parameters() = 0;
    /// Runs the update on the edges [first, last) in order. If the update throws, no further edge runs.
    virtual void run(const Endpoint& ends, const Memory& memory, EdgeId first, EdgeId last) = 0;
    /// Runs the update on edges that share their row (if `of_row`) or their column, which is loaded and
    /// stored only once.
    virtual void run_star(const Endpoint& ends, const Memory& memory, EdgeId first, EdgeId last,
                          bool of_row) = 0;
    /// Returns the message of the first exception of the update, or nullptr if it threw none.
    virtual const char* exception() const = 0;
    /// Sets the padding bytes of all states and payloads to 0, if the compiler supports it (g++), so that
    /// equal states have equal bytes.
    virtual void clear_padding(const Memory& memory, EdgeId rows, EdgeId cols, EdgeId edges) const = 0;
};

template <Update U>
Arrays<U> arrays_of(const Memory& memory) {
    return {reinterpret_cast<RowOf<U>*>(memory.rows), reinterpret_cast<ColOf<U>*>(memory.cols),
            reinterpret_cast<EdgeOf<U>*>(memory.edges)};
}

/// A Module for the update U. `Names` lists the fields of its structs (layout.hpp).
template <Update U, class Names>
class ModuleOf final : public Module {
public:
    ModuleOf() {
        find_layout<RowOf<U>, Names>(description_.row);
        find_layout<ColOf<U>, Names>(description_.col);
        find_layout<EdgeOf<U>, Names>(description_.edge);
        find_layout<ParametersOf<U>, Names>(description_.parameters);
    }

    const Description& description() const override { return description_; }
    std::byte* parameters() override { return reinterpret_cast<std::byte*>(&parameters_); }

    void run(const Endpoint& ends, const Memory& memory, EdgeId first, EdgeId last) override {
        const Operator<U> op{arrays_of<U>(memory), parameters_};
        guard([&] {
            for (EdgeId e = first; e < last; ++e) {
                auto row = op.load_row(ends.row[e]);
                auto col = op.load_col(ends.col[e]);
                op.apply(row, col, 0, EdgePosition{e});
                op.store_row(ends.row[e], row);
                op.store_col(ends.col[e], col);
            }
        });
    }
    void run_star(const Endpoint& ends, const Memory& memory, EdgeId first, EdgeId last,
                  bool of_row) override {
        const Operator<U> op{arrays_of<U>(memory), parameters_};
        guard([&] {
            if (of_row) {
                auto row = op.load_row(ends.row[first]);
                for (EdgeId e = first; e < last; ++e) {
                    auto col = op.load_col(ends.col[e]);
                    op.apply(row, col, 0, EdgePosition{e});
                    op.store_col(ends.col[e], col);
                }
                op.store_row(ends.row[first], row);
            } else {
                auto col = op.load_col(ends.col[first]);
                for (EdgeId e = first; e < last; ++e) {
                    auto row = op.load_row(ends.row[e]);
                    op.apply(row, col, 0, EdgePosition{e});
                    op.store_row(ends.row[e], row);
                }
                op.store_col(ends.col[first], col);
            }
        });
    }
    const char* exception() const override { return thrown_ ? text_ : nullptr; }

    void clear_padding(const Memory& memory, EdgeId rows, EdgeId cols, EdgeId edges) const override {
        const Arrays<U> arrays = arrays_of<U>(memory);
        clear(arrays.rows, rows), clear(arrays.edges, edges);
        if (ends_of<U> == Ends::sides) clear(arrays.cols, cols);
    }

private:
    template <class Run>
    void guard(Run run) noexcept {
        if (__atomic_load_n(&thrown_, __ATOMIC_RELAXED)) return;
        try {
            run();
        } catch (const std::exception& e) {
            note(e.what());
        } catch (...) {
            note("an exception that is not a std::exception");
        }
    }
    void note(const char* text) noexcept {
        if (__atomic_exchange_n(&thrown_, true, __ATOMIC_ACQ_REL)) return;
        std::strncpy(text_, text, sizeof text_ - 1);
    }
    template <class State>
    static void clear(State* states, EdgeId count) {
        if constexpr (!std::is_empty_v<State>) {
#pragma omp parallel for schedule(static)
            for (EdgeId i = 0; i < count; ++i) detail::clear_padding(states + i);
        }
    }

    Description description_{{}, {}, {}, {}, ends_of<U>, changes_edges<U>};
    ParametersOf<U> parameters_{};
    bool thrown_ = false;
    char text_[512] = {};
};

}  // namespace lockstep::update
