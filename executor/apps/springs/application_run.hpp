// A run of springs for lockstep-execute.
#pragma once

#include <memory>
#include <optional>

#include "apps/frame/outcome.hpp"
#include "apps/springs/application_model.hpp"

namespace lockstep::springs {

/// The options of the command line.
struct Wanted {
    Given given;
    Settings settings;
    bool residuals = false;                ///< whether the residual is computed after every frame
    bool by_frame = false;                 ///< whether the positions of all frames are kept
    std::optional<std::string> picture{};  ///< file of a picture of some frames
    Device device = Device::automatic;
    int threads = 1;

    /// Returns whether a frame, 0 being the start, is one of the picture's six.
    bool shows(std::uint64_t frame) const;
};

struct SpringsOutcome final : RunOutcome {
    Model model;
    State state;
    std::vector<std::vector<float>> kept;  ///< x, y, z by particle, for each kept frame
    std::uint64_t iterations = 0;          ///< total of all substeps
    double sweep_seconds = 0, residual_start = 0, residual = 0;
};

/// Runs the frames. Throws as make_model does, UsageError if Jacobi would need multipliers, Error (no_device)
/// if there is no GPU or the mesh does not fit.
std::unique_ptr<SpringsOutcome> run_frames(const Input& input, const Wanted& wanted,
                                           const RunCallbacks& callbacks);

}  // namespace lockstep::springs
