// Biases that are learned with the factors: after so many sweeps, twice as many, four times, … they are fitted anew,
// to what the factors leave of the weights. The sweeps themselves are those of any model, on what the biases leave.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

/// What biases leave of the weights, in their place in plan and test edges.
class Remainder {
public:
    /// Both must outlive it, and have no weights until some are taken off. 4 bytes an edge.
    Remainder(EdgePlan& plan, std::vector<Triple>& test);
    /// The least and the largest weight of the plan, of all processes, where each is more than one of a thousand
    /// of them: the ends of a scale, as of stars, and no rare extremes, as of prices. O(edges).
    std::optional<std::pair<float, float>> scale() const;
    /// O(edges). Of the weights, and not of what others left: the same bits whatever was before.
    void take_off(const Biases& biases);

private:
    EdgePlan& plan_;
    std::vector<Triple>& test_;
    Array<float> plan_weights_, test_weights_;
};

class BiasedBackend final : public Backend {
public:
    using Fit = std::function<Biases(const FactorsView&)>;
    /// A backend of `remainder`, which has `biases` taken off, after `sweeps` sweeps, fitted after
    /// `first_fit`, 2 `first_fit`, 4 `first_fit`, … of them; 0: they stay. What that takes is added to
    /// `fit_seconds`; `memory` is for factors from a device.
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
