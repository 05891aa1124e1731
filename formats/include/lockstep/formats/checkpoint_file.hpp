// The checkpoint: the state of a run between two sweeps, in HDF5 (SCHEMA.md). It is a model file with the
// best result so far, and the additional state that is needed to resume the run as if it had never stopped.
#pragma once

#include <filesystem>
#include <vector>

#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep {

struct Checkpoint {
    Model kept;                    ///< best factors so far, or the last ones known to be valid
    std::uint64_t kept_sweep = 0;  ///< sweep after which `kept` was computed
    /// Current factors, laid out as in Model; empty if they equal `kept`.
    std::vector<float> row_factors, col_factors;
    Biases biases;  ///< biases that belong to the current factors of a biased model
    RunHeader run;  ///< settings that determine the result: strategy, hashes, seed, rank, parameters
    std::vector<SweepRecord> sweeps;  ///< sweeps done so far
};

/// Writes a checkpoint atomically, like write_model. Throws OutputError.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
/// Reads and checks a checkpoint, like read_model. Throws FormatError, also if the file is a model but not a
/// checkpoint.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace lockstep
