// --init, --checkpoint and --resume of SGD: the state in which a run begins, and the state that it saves.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

class StateOptions {
public:
    void list(Fields& more);
    /// Checks the options. Throws UsageError.
    void settle(const Fields& given, Device device);
    void add_outputs(std::vector<Output>& outputs) const;

    /// Adds to `beginning` the factors of the model, by ID, or the state of the checkpoint, and the function
    /// that saves checkpoints, as far as the options request them. `input` must outlive the run. Throws
    /// FormatError, or Error (usage) if the model or the checkpoint does not fit the run.
    void apply(const Input& input, const SgdOptions& options, Beginning& beginning);
    /// Takes the header of the run, as the application fills it, and its outcome so far, before the
    /// first sweep. Throws Error (usage) if the checkpoint belongs to a run with another result.
    void start(const Input& input, RunHeader header, const SgdOptions& options, const Outcome& outcome);

    void describe(RunHeader& header) const {
        if (init_) header.parameters["init"] = *init_;
    }
    /// Returns a note for the user: the state in which the run begins.
    const std::string& remark() const { return remark_; }

private:
    void begin_with_model(const Input& input, const SgdOptions& options, Beginning& beginning);
    void go_on(const Input& input, const SgdOptions& options, Beginning& beginning);
    [[noreturn]] void refuse_checkpoint(const std::string& what) const;

    std::optional<std::string> init_, checkpoint_;
    std::string interval_ = "60s";  ///< interval between checkpoints
    std::uint64_t every_sweeps_ = 0;
    double every_seconds_ = 0;
    bool resume_ = false;
    std::string remark_;
    RunHeader header_;              ///< header of this run
    std::optional<RunHeader> was_;  ///< header of the checkpoint's run
    State done_;                    ///< sweeps of the checkpoint, without its factors
};

/// Returns a model of these factors, with the IDs of the input. It contains the pairs to which it was fitted,
/// unless these are distributed over several processes.
Model model_of(const Input& input, const RunHeader& header, const Factors& factors, const Biases& biases,
               std::uint64_t sweeps);

}  // namespace lockstep::sgd
