// The options of SGD for starting from and saving a state: --init (a model), --checkpoint and --resume.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

class StateOptions {
public:
    void list(Fields& more);
    /// Checks the options. Throws UsageError if they contradict each other.
    void settle(const Fields& given, Device device);
    void add_outputs(std::vector<Output>& outputs) const;

    /// Prepares the beginning of a run as the options request: sets the factors of the model of --init
    /// (matched by ID) or the state of the checkpoint, and the function that saves checkpoints. `input` must
    /// outlive the run. Throws FormatError, or Error (usage) if the model or the checkpoint does not fit the
    /// run.
    void apply(const Input& input, const SgdOptions& options, RunStart& beginning);
    /// Called before the first sweep, with the header of the run record and the outcome so far. Stores them
    /// for checkpoints. Throws Error (usage) if the run differs from the checkpoint's run so that its result
    /// would differ, too.
    void start(const Input& input, RunHeader header, const SgdOptions& options, const Outcome& outcome);

    void describe(RunHeader& header) const {
        if (init_) header.parameters["init"] = *init_;
    }
    /// Returns a note for the user about the model or the checkpoint with which the run begins.
    const std::string& remark() const { return remark_; }

private:
    void begin_with_model(const Input& input, const SgdOptions& options, RunStart& beginning);
    void resume(const Input& input, const SgdOptions& options, RunStart& beginning);
    [[noreturn]] void refuse_checkpoint(const std::string& what) const;

    std::optional<std::string> init_, checkpoint_;
    std::string interval_ = "60s";  ///< value of --checkpoint-every: interval between checkpoints
    std::uint64_t every_sweeps_ = 0;
    double every_seconds_ = 0;
    bool resume_ = false;
    std::string remark_;
    RunHeader header_;              ///< header of this run
    std::optional<RunHeader> was_;  ///< header of the run that saved the checkpoint
    State done_;  ///< records of the sweeps that the checkpoint's run completed, without factors
};

/// Returns the model for a file: the factors and biases with the original IDs of the input, and the pairs on
/// which the model was trained. In a run of several processes the pairs are omitted, since they are
/// distributed.
Model model_of(const Input& input, const RunHeader& header, const Factors& factors, const Biases& biases,
               std::uint64_t sweeps);

}  // namespace lockstep::sgd
