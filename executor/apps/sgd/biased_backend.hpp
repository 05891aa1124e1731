// A backend for models with biases, as a wrapper around another backend. The wrapped backend trains the
// factors on the residuals of the biases instead of the weights. After n, 2 n, 4 n, … sweeps, the biases are
// fitted again to the residuals of the factors.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

/// The residuals of the biases (weights minus biases). They replace the weights in the plan and in the test
/// edges.
class BiasResiduals {
public:
    /// Moves the original weights of the plan and of the test edges into this object. Both must outlive the
    /// object, and subtract_biases() must be called before either is used. 4 bytes per edge.
    BiasResiduals(EdgePlan& plan, std::vector<Triple>& test);
    /// Returns the minimum and the maximum weight of the plan, over all processes, if each of the two occurs
    /// in more than one of a thousand edges; otherwise returns nullopt. Frequent extremes are the ends of a
    /// rating scale, such as one and five stars, to which predictions may be limited. Rare extremes, such as
    /// those of prices, are not. O(edges).
    std::optional<std::pair<float, float>> scale() const;
    /// Stores the original weights minus `biases` in the plan and in the test edges. Replaces the residuals
    /// of earlier calls. O(edges).
    void subtract_biases(const Biases& biases);

private:
    EdgePlan& plan_;
    std::vector<Triple>& test_;
    Array<float> plan_weights_, test_weights_;
};

class BiasedBackend final : public Backend {
public:
    using BiasFitFunction = std::function<Biases(const FactorsView&)>;
    /// Wraps `backend`, which has completed `sweeps` sweeps and whose weights are `remainder` with `biases`
    /// subtracted. The biases are fitted again after `first_fit`, 2 `first_fit`, 4 `first_fit`, … sweeps; if
    /// `first_fit` is 0, they never are. The time of these fits is added to `fit_seconds`. `memory` is a
    /// buffer for factors that are copied from a device.
    BiasedBackend(std::unique_ptr<Backend> backend, BiasResiduals& remainder, Biases biases,
                  std::uint64_t first_fit, std::uint64_t sweeps, double& fit_seconds, Factors& memory,
                  BiasFitFunction fit)
        : backend_(std::move(backend)),
          remainder_(remainder),
          fit_(std::move(fit)),
          biases_(std::move(biases)),
          saved_(biases_),
          first_fit_(first_fit),
          sweeps_(sweeps),
          fit_seconds_(fit_seconds),
          memory_(memory) {}

    SweepCounts sweep(const Step& step, double* seconds) override;
    double train_squared_error() override { return backend_->train_squared_error(); }
    double test_squared_error() override { return backend_->test_squared_error(); }
    FactorsView view(Factors& memory) override { return backend_->view(memory); }
    void factors(Factors& to) override { backend_->factors(to), to.biases = biases_; }
    void save() override { backend_->save(), saved_ = biases_; }
    void restore() override { backend_->restore(), take(saved_); }
    Factors copy_saved_factors() override {
        Factors factors = backend_->copy_saved_factors();
        factors.biases = saved_;
        return factors;
    }
    void set(const Factors& factors) override { backend_->set(factors), take(factors.biases); }
    DeviceInfo device() const override { return backend_->device(); }
    EdgeId device_bytes() const override { return backend_->device_bytes(); }
    Streaming streaming() const override { return backend_->streaming(); }

private:
    void take(const Biases& biases);

    std::unique_ptr<Backend> backend_;
    BiasResiduals& remainder_;
    BiasFitFunction fit_;
    Biases biases_, saved_;
    std::uint64_t first_fit_, sweeps_;
    double& fit_seconds_;
    Factors& memory_;
};

}  // namespace lockstep::sgd
