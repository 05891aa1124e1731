// Biases that are learned together with the factors: after n, 2 n, 4 n, … sweeps the biases are fitted again
// to the residuals of the factors. The sweeps themselves are those of any model, and use the residuals of the
// biases as weights.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

/// The residuals of the biases, that is, weights minus biases. They replace the weights in the plan and in
/// the test edges.
class Remainder {
public:
    /// Takes the weights of the plan and of the test edges; take_off() must be called before either is used.
    /// Both must outlive this object. 4 bytes per edge.
    Remainder(EdgePlan& plan, std::vector<Triple>& test);
    /// Returns the minimum and the maximum weight of the plan, over all processes, if each of the two occurs
    /// in more than one of a thousand edges; otherwise returns nothing. Frequent extremes are the ends of a
    /// rating scale, such as stars. Rare extremes, as those of prices, are not. O(edges).
    std::optional<std::pair<float, float>> scale() const;
    /// Subtracts `biases` from the original weights. Biases that were subtracted before do not affect the
    /// result. O(edges).
    void take_off(const Biases& biases);

private:
    EdgePlan& plan_;
    std::vector<Triple>& test_;
    Array<float> plan_weights_, test_weights_;
};

class BiasedBackend final : public Backend {
public:
    using Fit = std::function<Biases(const FactorsView&)>;
    /// Wraps `backend`, whose weights are `remainder` with `biases` already subtracted, after `sweeps`
    /// sweeps. The biases are fitted again after `first_fit`, 2 `first_fit`, 4 `first_fit`, … sweeps; if
    /// `first_fit` is 0, they are never fitted again. The time of the fits is added to `fit_seconds`.
    /// `memory` is a buffer for factors that are copied from a device.
    BiasedBackend(std::unique_ptr<Backend> backend, Remainder& remainder, Biases biases,
                  std::uint64_t first_fit, std::uint64_t sweeps, double& fit_seconds, Factors& memory,
                  Fit fit)
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
    Factors saved() override {
        Factors factors = backend_->saved();
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
    Remainder& remainder_;
    Fit fit_;
    Biases biases_, saved_;
    std::uint64_t first_fit_, sweeps_;
    double& fit_seconds_;
    Factors& memory_;
};

}  // namespace lockstep::sgd
