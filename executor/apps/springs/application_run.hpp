// A run of springs for lockstep-execute.
#pragma once

#include <memory>
#include <optional>

#include "apps/frame/outcome.hpp"
#include "apps/springs/application_model.hpp"

namespace lockstep::springs {

/// What the command line asks for.
struct Wanted {
    Given given;
    Settings settings;
    bool residuals = false;                ///< after every frame
    bool by_frame = false;                 ///< positions of all frames are kept
    std::optional<std::string> picture{};  ///< of some
    Device device = Device::automatic;
    int threads = 1;

    /// Whether a frame, 0 being the start, is one of the picture's six.
    bool shows(std::uint64_t frame) const;
};

struct SpringsOutcome final : RunOutcome {
    Model model;
    State state;
    std::vector<std::vector<float>> kept;  ///< frames: x, y, z by particle
    std::uint64_t iterations = 0;          ///< of all substeps together
    double sweep_seconds = 0, residual_start = 0, residual = 0;
};

/// Throws as make_model, UsageError where Jacobi would need multipliers, Error (no_device).
std::unique_ptr<SpringsOutcome> run_frames(const Input& input, const Wanted& wanted,
                                           const RunCallbacks& callbacks);

}  // namespace lockstep::springs
