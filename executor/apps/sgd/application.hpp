// SGD as an application, for programs that run it alone.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep {

const Spec& sgd_spec();

/// The application that sgd_spec() makes.
class SgdApplication : public Application {
public:
    using Application::Application;
    /// Returns the options that the application has read. They may be changed before the run.
    virtual sgd::SgdOptions& options() = 0;
    /// Returns the split of this graph that the run will use.
    virtual sgd::Split split(const Input& input) = 0;
};

}  // namespace lockstep
