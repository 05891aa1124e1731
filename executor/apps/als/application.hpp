// Implicit ALS as an application, for programs that run it alone.
#pragma once

#include "apps/frame/application.hpp"

namespace lockstep {

Application& als_application();

}  // namespace lockstep
