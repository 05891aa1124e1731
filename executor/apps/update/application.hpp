// The declaration of the application that runs user updates, for programs that run it on arrays in memory.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/update/states.hpp"

namespace lockstep {

const Spec& update_spec();

/// The application that update_spec() makes, with access to the sources of its states.
class UpdateApplication : public Application {
public:
    using Application::Application;
    /// Returns the sources of the states, which settle() has set from the options. They may be changed before
    /// the run.
    virtual update::StateFiles& files() = 0;
};

/// Returns the arrays of a run. They contain the states after the run.
const update::RunArrays& update_arrays(const RunOutcome& outcome);

}  // namespace lockstep
