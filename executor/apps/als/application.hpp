// Declares the application of implicit ALS, for programs that run only this application.
#pragma once

#include "apps/frame/application.hpp"

namespace lockstep {

const Spec& als_spec();

}  // namespace lockstep
