// The options of SGD itself: rank, learning rate, regularisation, form of the model, stopping, and execution
// on a device.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

const char* to_string(RateSchedule schedule);
const char* to_string(ModelForm form);

inline constexpr double large = 1e9;
inline constexpr std::uint64_t max_sweeps = 1'000'000'000;

// Options that SGD and implicit ALS share.
template <class Rank>
Field& list_rank(Fields& fields, Rank& rank) {
    return fields.number("rank", rank, 1, 256, "length of the factor vectors, 1 to 256; default of als: 64")
        .with_letter('k');
}
inline void list_regularisation(Fields& fields, std::optional<double>& regularisation) {
    fields.number("regularisation", regularisation, 0, large,
                  "L2 regularisation of the factors; sgd: default plain 0.1, biased chosen by the weights; "
                  "als: regularisation of a vertex of mean total edge weight, relative to the mean weight of "
                  "an edge, default 3");
}
inline void list_test_fraction(Fields& fields, double& fraction) {
    fields.number("test-fraction", fraction, 0, 1, "fraction of the edges held out, chosen by --seed");
}
inline void list_model(Fields& fields, std::optional<std::string>& model) {
    fields
        .text("model", model, "FILE.h5",
              "write the factors to this file (HDF5); an interrupted run writes its factors to "
              "FILE.partial.h5 instead")
        .with_letter('m')
        .writes(model_output);
}
inline void list_early_stop(Fields& fields, std::optional<std::uint64_t>& patience) {
    fields.number(
        "early-stop", patience, 0, max_sweeps,
        "stop after N evaluations without a better test error (sgd: RMSE, als: NDCG) and keep the best "
        "factors; 0 = never (default: 3 for als and for biased with held-out edges, otherwise 0)");
}

/// The parameters that the user gave, and the complete options of the run. The defaults of some options
/// depend on other options, so settle() sets them after all parameters are known.
struct RequestedOptions {
    SgdOptions options{.form = ModelForm::biased};
    std::optional<std::uint64_t> sweeps, refit_biases, patience;
    std::optional<double> learning_rate, regularisation, regularisation_decay;
    std::optional<RateSchedule> rate_schedule;
    std::optional<bool> train_errors;  ///< whether each evaluation computes the training error
    std::optional<std::string> device_memory, model;

    void list(Fields& basic, Fields& more);
    /// Completes `options` from the given parameters and the defaults. `split_given`: test edges are selected
    /// by another option than --test-fraction. Throws UsageError if parameters contradict each other.
    void settle(const Fields& given, Device device, int threads, bool split_given);
};

}  // namespace lockstep::sgd
