// The checkpoint: a run between two sweeps, in HDF5 (SCHEMA.md). It is a model file, of what the run has to
// show so far, with what else is needed to go on as if it had never stopped.
#pragma once

#include <filesystem>
#include <vector>

#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep {

struct Checkpoint {
    Model kept;                                   ///< the best factors, or the last that are known to be good
    std::uint64_t kept_sweep = 0;                 ///< that they are of
    std::vector<float> row_factors, col_factors;  ///< the present ones, as the model's; empty: the same
    Biases biases;                                ///< beside the present factors, of a biased model
    RunHeader run;                    ///< what decides the result: strategy, hashes, seed, rank, parameters
    std::vector<SweepRecord> sweeps;  ///< so far
};

/// Atomic, as write_model. Throws OutputError.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
/// Checked, as read_model. Throws FormatError, also for a model that is no checkpoint.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace lockstep
