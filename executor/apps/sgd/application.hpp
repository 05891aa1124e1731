// SGD as an application, for programs that run it alone.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep {

Application& sgd_application();
/// Its options as it has read them. Who changes them does so before the run.
sgd::SgdOptions& sgd_options();
/// The split that it will take of this graph.
sgd::Split sgd_split(const Input& input);

}  // namespace lockstep
