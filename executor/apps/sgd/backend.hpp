// Interface between the driver of SGD and a device: run a sweep, compute errors, copy factors. It is
// implemented for CPUs (cpu_backend.hpp), for CUDA (cuda_backend.cuh) and by the serial reference
// (reference.hpp).
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

/// Factor vectors of all rows and columns in single precision, with consecutive vectors stride_of(rank)
/// floats apart and zeros as padding. A biased model also has the biases with which the factors were trained.
struct Factors {
    Array<float> row, col;
    Biases biases{};
};

/// Views of the factor vectors of rows and columns, in memory that the view does not own; without biases.
struct FactorsView {
    FactorsView(std::span<const float> r, std::span<const float> c) : row(r), col(c) {}
    FactorsView(const Factors& factors)  // NOLINT(google-explicit-constructor)
        : row(factors.row), col(factors.col) {}
    std::span<const float> row, col;
};

/// The input of a backend. The plan and the test edges must outlive the backend.
struct Problem {
    const EdgePlan& plan;             ///< training edges in execution order
    const std::vector<Triple>& test;  ///< held-out edges; may be empty
    std::uint32_t rank;
    float floor;      ///< lower bound of all factors: 0 for NMF, otherwise minus infinity
    Storage storage;  ///< precision of the factors on the device
    int gpus = 1;     ///< for strategy tiled: number of GPUs, at most the number of groups of the plan
    /// For strategy tiled: maximum memory that is used on each GPU, in bytes; 0: all free memory.
    EdgeId device_memory = 0;
    /// Whether several processes share the run. The plan then contains only the edges of this process. All
    /// processes must call the functions of their backends together, and results such as errors are those of
    /// the whole run.
    bool shared = false;
};

/// Amount and rate of the copies from host to device in every sweep, if the plan is too large for the
/// device's memory.
struct Streaming {
    EdgeId bytes = 0;      ///< bytes copied per sweep
    double copy_rate = 0;  ///< rate of copies from host to device without other work, in bytes per second
};

/// The learning rate of one sweep, and the factor keep = 1 - rate x regularisation.
struct Step {
    float rate, keep;
};

class Backend {
public:
    virtual ~Backend() = default;
    /// Runs one sweep over the training edges. Stores its execution time in `*seconds`, without transfers and
    /// evaluation.
    virtual SweepCounts sweep(const Step& step, double* seconds) = 0;
    /// Return the sum of the squared errors of all training edges, or of all test edges, in double precision.
    /// CPU and GPU add in the same order, so the sums are bitwise identical.
    virtual double train_squared_error() = 0;
    virtual double test_squared_error() = 0;
    virtual void factors(Factors& to) = 0;
    /// Returns a view of the current factors, which is valid until the next sweep. If the factors are floats
    /// in host memory, the view refers to them; otherwise they are copied to `memory`.
    virtual FactorsView view(Factors& memory) {
        factors(memory);
        return memory;
    }
    /// save() stores a copy of the current factors on the device; restore() makes this copy the current
    /// factors.
    virtual void save() = 0;
    virtual void restore() = 0;
    /// copy_saved_factors() returns the copy that save() stored; set() replaces the current factors.
    virtual Factors copy_saved_factors() = 0;
    virtual void set(const Factors& factors) = 0;
    /// Copies the weights of the plan's edges and of the test edges to the device again. Called after they
    /// have changed.
    virtual void reload() {}
    virtual DeviceInfo device() const = 0;
    /// Returns the memory used on the device, in bytes.
    virtual EdgeId device_bytes() const = 0;
    virtual Streaming streaming() const { return {}; }
};

/// Number of edges in a partial sum of squared errors. The errors of a chunk are added in edge order; then
/// the sums of the chunks are added.
inline constexpr EdgeId error_chunk = 64;

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const Factors& initial, int threads);
/// Throws Error (no_device) if CUDA was not compiled in, if there is no GPU, or if its memory is too small.
std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const Factors& initial);

}  // namespace lockstep::sgd
