// Implicit ALS as an application, for programs that run it alone.
#pragma once

#include "apps/frame/application.hpp"

namespace lockstep {

const Spec& als_spec();

}  // namespace lockstep
