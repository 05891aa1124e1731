// Interface between the SGD driver and a device: sweeps, errors and factors. It is implemented for the CPU
// (cpu_backend.hpp), for CUDA (cuda_backend.cuh) and by the serial reference (reference.hpp).
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

/// Factors in single precision: rows x stride_of(rank) and cols x stride_of(rank), with zeros as padding. A
/// biased model also has the biases with which the factors were learned.
struct Factors {
    Array<float> row, col;
    Biases biases{};
};

/// A view of factors, without biases, in memory that belongs to somebody else.
struct FactorsView {
    FactorsView(std::span<const float> r, std::span<const float> c) : row(r), col(c) {}
    FactorsView(const Factors& factors)  // NOLINT(google-explicit-constructor)
        : row(factors.row), col(factors.col) {}
    std::span<const float> row, col;
};

/// The input of a backend. The plan and the test edges must outlive the backend.
struct Problem {
    const EdgePlan& plan;             ///< training edges
    const std::vector<Triple>& test;  ///< held-out edges; may be empty
    std::uint32_t rank;
    float floor;               ///< lower bound of all factors: 0 for NMF, otherwise minus infinity
    Storage storage;           ///< precision of the factors on the device
    int gpus = 1;              ///< tiled: number of GPUs, at most the number of groups of the plan
    EdgeId device_memory = 0;  ///< tiled: maximum memory of each GPU, in bytes; 0: all free memory
    /// Whether the run has several processes. The plan then contains the edges of this process, all processes
    /// call their backends together, and the results are those of the whole run.
    bool shared = false;
};

/// Copies from host to device in every sweep, if the plan is too large for the device.
struct Streaming {
    EdgeId bytes = 0;      ///< bytes copied per sweep
    double copy_rate = 0;  ///< rate of such copies alone, in bytes per second
};

/// Learning rate of one sweep, and `keep` = 1 - rate x regularisation.
struct Step {
    float rate, keep;
};

class Backend {
public:
    virtual ~Backend() = default;
    /// Runs one sweep over the training edges. `*seconds` becomes its execution time alone.
    virtual SweepCounts sweep(const Step& step, double* seconds) = 0;
    /// Returns the sum of squared errors of the training edges, or of the test edges, in double precision.
    /// The order of the sum is the same on the CPU and on a GPU.
    virtual double train_squared_error() = 0;
    virtual double test_squared_error() = 0;
    virtual void factors(Factors& to) = 0;
    /// Returns a view of the factors: without a copy if they are floats in host memory, otherwise of a copy
    /// in `memory`. The view is valid until the next sweep.
    virtual FactorsView view(Factors& memory) {
        factors(memory);
        return memory;
    }
    /// Saves a copy of the present factors on the device; `restore` replaces the present factors by the copy.
    virtual void save() = 0;
    virtual void restore() = 0;
    /// Returns the saved copy; `set` replaces the present factors by others.
    virtual Factors saved() = 0;
    virtual void set(const Factors& factors) = 0;
    /// Reads the weights of the plan's edges and of the test edges again, after they have changed.
    virtual void reload() {}
    virtual DeviceInfo device() const = 0;
    /// Returns the memory used on the device, in bytes.
    virtual EdgeId device_bytes() const = 0;
    virtual Streaming streaming() const { return {}; }
};

/// Number of edges whose errors are summed one after another before the partial sums are added.
inline constexpr EdgeId error_chunk = 64;

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const Factors& initial, int threads);
/// Throws Error (no_device) if CUDA was not compiled in, there is no GPU, or its memory is too small.
std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const Factors& initial);

}  // namespace lockstep::sgd
