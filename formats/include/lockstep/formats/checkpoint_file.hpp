// The checkpoint of a training run: its state after a sweep, in HDF5 (SCHEMA.md). A checkpoint is a model
// file with the best factors so far. In addition it contains the state from which the run can be resumed with
// the same result as without an interruption.
#pragma once

#include <filesystem>
#include <vector>

#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep {

/// The contents of a checkpoint file.
struct Checkpoint {
    Model kept;  ///< factors of the best sweep so far, or of the last sweep with finite factors
    std::uint64_t kept_sweep = 0;  ///< number of the sweep after which `kept` was computed
    /// Factors after the last sweep, row by row as in Model; empty if they equal those in `kept`.
    std::vector<float> row_factors, col_factors;
    Biases biases;  ///< biases after the last sweep, if the model has biases
    RunHeader run;  ///< settings that determine the result: strategy, hashes, seed, rank, parameters
    std::vector<SweepRecord> sweeps;  ///< record of every sweep so far
};

/// Writes a checkpoint atomically, like write_model. Throws OutputError.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
/// Reads and checks a checkpoint, like read_model. Throws FormatError, also if the file is a model but not a
/// checkpoint.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace lockstep
