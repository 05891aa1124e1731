// The application of updates, for programs that run it on arrays in memory.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/update/states.hpp"

namespace lockstep {

const Spec& update_spec();

/// The application that update_spec() makes.
class UpdateApplication : public Application {
public:
    using Application::Application;
    /// Returns the sources of its states as settle() has set them. They may be changed before the run.
    virtual update::StateFiles& files() = 0;
};

/// Returns the arrays of a run, with their states after it.
const update::RunArrays& update_arrays(const RunOutcome& outcome);

}  // namespace lockstep
