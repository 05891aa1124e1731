// What the SGD driver asks of a device: sweeps, errors and factors. One implementation each for the
// CPU (cpu_backend.hpp) and CUDA (cuda_backend.cuh).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "apps/sgd/storage.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep::sgd {

/// Factors in single precision: rows x stride_of(rank), cols x stride_of(rank), padding zero; with the biases
/// that they were learned beside, where the model has such.
struct Factors {
    Array<float> row, col;
    Biases biases{};
};

/// The same where they lie.
struct FactorsView {
    FactorsView(std::span<const float> r, std::span<const float> c) : row(r), col(c) {}
    FactorsView(const Factors& factors)  // NOLINT(google-explicit-constructor)
        : row(factors.row), col(factors.col) {}
    std::span<const float> row, col;
};

/// Everything a backend needs, by reference: it must outlive the backend.
struct Problem {
    const EdgePlan& plan;             ///< training edges
    const std::vector<Triple>& test;  ///< held-out edges, may be empty
    std::uint32_t rank;
    float floor;               ///< 0 for NMF, minus infinity otherwise
    Storage storage;           ///< of the factors on the device
    int gpus = 1;              ///< tiled: at most as many as the plan has groups
    EdgeId device_memory = 0;  ///< tiled, of each GPU: bytes to take at most; 0 = all that are free
    /// Of several processes: the plan has this one's edges, and all call its backend together; what that
    /// returns is of the whole run.
    bool shared = false;
};

/// Copies from host to device in every sweep, where the plan is too large for the device.
struct Streaming {
    EdgeId bytes = 0;      ///< a sweep
    double copy_rate = 0;  ///< bytes a second that such copies alone reach
};

/// Learning rate and 1 - rate x regularisation of one sweep.
struct Step {
    float rate, keep;
};

class Backend {
public:
    virtual ~Backend() = default;
    /// One sweep over the training edges; `*seconds` is its execution time alone.
    virtual SweepCounts sweep(const Step& step, double* seconds) = 0;
    /// Sums of squared errors, in double precision and one fixed order on every device.
    virtual double train_squared_error() = 0;
    virtual double test_squared_error() = 0;
    virtual void factors(Factors& to) = 0;
    /// The same without a copy, where they lie so; else in `memory`. Until the next sweep.
    virtual FactorsView view(Factors& memory) {
        factors(memory);
        return memory;
    }
    /// Keeps a copy of the present factors on the device / goes back to it.
    virtual void save() = 0;
    virtual void restore() = 0;
    /// That copy; and other factors instead of the present ones.
    virtual Factors saved() = 0;
    virtual void set(const Factors& factors) = 0;
    /// The weights of plan and test edges have changed.
    virtual void reload() {}
    virtual DeviceInfo device() const = 0;
    /// The memory taken there.
    virtual EdgeId device_bytes() const = 0;
    virtual Streaming streaming() const { return {}; }
};

/// Edges whose errors are summed one after another before the partial sums are added.
inline constexpr EdgeId error_chunk = 64;

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const Factors& initial, int threads);
/// Throws Error (no_device) when CUDA was not compiled in, there is no GPU, or its memory is too small.
std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const Factors& initial);

}  // namespace lockstep::sgd
