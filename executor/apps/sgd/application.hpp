// The declaration of SGD as an application, for programs that run only this application.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep {

const Spec& sgd_spec();

/// The application that sgd_spec() makes, with access to its options and its split.
class SgdApplication : public Application {
public:
    using Application::Application;
    /// Returns the options as they were given. They may be changed before the run.
    virtual sgd::SgdOptions& options() = 0;
    /// Returns the split into training and test edges that a run on this graph would use.
    virtual sgd::Split split(const Input& input) = 0;
};

}  // namespace lockstep
