// --init, --checkpoint and --resume of SGD: where a run begins, and what it leaves for the next one.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

class StateOptions {
public:
    void list(Fields& more);
    /// Throws UsageError.
    void settle(const Fields& given, Device device);
    void add_outputs(std::vector<Output>& outputs) const;

    /// Adds to `beginning` what the options ask for: factors of a model, by id, or the state of a checkpoint;
    /// and the writing of checkpoints. `input` must outlive the run. Throws FormatError; Error (usage) where
    /// the model or the checkpoint does not fit the run.
    void apply(const Input& input, const SgdOptions& options, Beginning& beginning);
    /// Takes the header of the run, as Application::describe fills it, and its outcome so far, before the first sweep.
    /// Throws Error (usage) if the checkpoint is of a run with another result.
    void start(const Input& input, RunHeader header, const SgdOptions& options, const Outcome& outcome);

    void describe(RunHeader& header) const {
        if (init_) header.parameters["init"] = *init_;
    }
    /// For a person: what the run begins with.
    const std::string& remark() const { return remark_; }

private:
    void begin_with_model(const Input& input, const SgdOptions& options, Beginning& beginning);
    void go_on(const Input& input, const SgdOptions& options, Beginning& beginning);
    [[noreturn]] void refuse_checkpoint(const std::string& what) const;

    std::optional<std::string> init_, checkpoint_;
    std::string interval_ = "60s";  ///< between checkpoints
    std::uint64_t every_sweeps_ = 0;
    double every_seconds_ = 0;
    bool resume_ = false;
    std::string remark_;
    RunHeader header_;              ///< of this run
    std::optional<RunHeader> was_;  ///< of the checkpoint
    State done_;                    ///< sweeps of the checkpoint, without its factors
};

/// Returns the model of these factors, in the ids of the input. It contains the pairs it was fitted to,
/// unless these are distributed over several processes.
Model model_of(const Input& input, const RunHeader& header, const Factors& factors, const Biases& biases,
               std::uint64_t sweeps);

}  // namespace lockstep::sgd
