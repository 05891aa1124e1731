// What lockstep-execute compiles of a user's update, and loads: a shared library with one function.
#pragma once

#include <omp.h>

#include <memory>
#include <string>
#include <string_view>

#include "lockstep/executor/update/run.hpp"

namespace lockstep::update {

/// How large the structs are, in bytes, and what an end is.
struct Sizes {
    std::size_t row, col, edge;
    Ends ends;
    bool changes_edges;
};

/// States and payloads as bytes: rows and columns by number (of one set rows alone), edges in the order of the
/// plan.
struct Memory {
    std::byte *rows, *cols, *edges;
};

class Module {
public:
    virtual ~Module() = default;
    virtual Sizes sizes() const = 0;
    /// False where Parameters has no field of that name, as far as the names were known when it was compiled.
    virtual bool set(std::string_view name, double value) = 0;
    virtual SweepCounts sweep(const EdgePlan& plan, const Memory& memory, cpu::Locks& locks,
                              int threads) const = 0;
    virtual void loop(const EdgePlan& plan, const Memory& memory) const = 0;
    /// Zeros between the fields of structs, which are nobody's: so that equal states are equal bytes. Of g++ alone.
    virtual void clear_padding(const EdgePlan& plan, const Memory& memory) const = 0;
};

/// The same update on the present GPU.
class DeviceModule {
public:
    virtual ~DeviceModule() = default;
    virtual bool set(std::string_view name, double value) = 0;
    /// A plan, states and payloads to the device, for sweeps, and get() brings them back. Throws ScheduleError
    /// (no_device) where the plan does not fit on chip, Error (no_device) where memory does not suffice.
    virtual void put(const EdgePlan& plan, const Memory& memory) = 0;
    virtual SweepCounts sweep(double* seconds) = 0;
    virtual EdgeId bytes() const = 0;
    virtual void get(const Memory& memory) = 0;
};

template <Update U>
using SetterOf = bool (*)(ParametersOf<U>&, std::string_view, double);
template <Update U>
Arrays<U> arrays_of(const Memory& memory) {
    return {reinterpret_cast<RowOf<U>*>(memory.rows), reinterpret_cast<ColOf<U>*>(memory.cols),
            reinterpret_cast<EdgeOf<U>*>(memory.edges)};
}

template <Update U>
class ModuleOf final : public Module {
public:
    explicit ModuleOf(SetterOf<U> setter) : set_(setter) {}

    Sizes sizes() const override {
        const auto bytes = [](auto state) { return std::is_empty_v<decltype(state)> ? 0 : sizeof(state); };
        return {bytes(RowOf<U>{}), bytes(ColOf<U>{}), bytes(EdgeOf<U>{}), ends_of<U>, changes_edges<U>};
    }
    bool set(std::string_view name, double value) override { return set_(parameters_, name, value); }
    SweepCounts sweep(const EdgePlan& plan, const Memory& memory, cpu::Locks& locks,
                      int threads) const override {
        return update::sweep<U>(plan, arrays_of<U>(memory), parameters_, locks, threads);
    }
    void loop(const EdgePlan& plan, const Memory& memory) const override {
        update::loop<U>(plan, arrays_of<U>(memory), parameters_);
    }
    void clear_padding(const EdgePlan& plan, const Memory& memory) const override {
        const Arrays<U> arrays = arrays_of<U>(memory);
        clear(arrays.rows, plan.rows), clear(arrays.edges, plan.edges());
        if (ends_of<U> == Ends::sides) clear(arrays.cols, plan.cols);
    }

private:
    template <class State>
    static void clear(State* states, EdgeId count) {
#if __has_builtin(__builtin_clear_padding)
        if constexpr (!std::is_empty_v<State>) {
#pragma omp parallel for schedule(static)
            for (EdgeId i = 0; i < count; ++i) __builtin_clear_padding(states + i);
        }
#else
        static_cast<void>(states), static_cast<void>(count);
#endif
    }
    SetterOf<U> set_;
    ParametersOf<U> parameters_{};
};

}  // namespace lockstep::update
