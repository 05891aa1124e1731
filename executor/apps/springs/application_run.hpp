// Runs the frames of a simulation, with the options of lockstep-execute.
#pragma once

#include <memory>
#include <optional>

#include "apps/frame/outcome.hpp"
#include "apps/springs/application_model.hpp"

namespace lockstep::springs {

/// The options of a run as given on the command line.
struct SpringsRunOptions {
    InputFiles given;
    Settings settings;
    bool residuals = false;                ///< whether the residual is computed after every frame
    bool by_frame = false;                 ///< whether the result contains the positions of all frames
    std::optional<std::string> picture{};  ///< file for a picture of six frames
    Device device = Device::automatic;
    int threads = 1;

    /// Returns true if `frame` is one of the six frames in the picture. Frame 0 is the start.
    bool shows(std::uint64_t frame) const;
};

struct SpringsOutcome final : RunOutcome {
    Model model;
    State state;
    /// Positions after each frame that is kept: x, y and z of every particle.
    std::vector<std::vector<float>> kept;
    std::uint64_t iterations = 0;  ///< number of iterations in all substeps
    double sweep_seconds = 0, residual_start = 0, residual = 0;
};

/// Makes the model and runs the frames. Throws the errors of make_model, UsageError if the method Jacobi is
/// combined with compliance and several iterations, and Error (no_device) if there is no GPU or the mesh does
/// not fit in its memory.
std::unique_ptr<SpringsOutcome> run_frames(const Input& input, const SpringsRunOptions& wanted,
                                           const RunCallbacks& callbacks);

}  // namespace lockstep::springs
