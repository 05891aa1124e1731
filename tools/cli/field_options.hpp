// Options of the command line, made from lists of fields.
#pragma once

#include "cli.hpp"
#include "lockstep/formats/fields.hpp"

namespace lockstep::cli {

/// Adds an option for each field; its default is the present value.
void add_fields(Options& options, const Fields& fields);

/// Stores what was given, and defaults of options, in the variables of the fields.
void take_fields(const Values& values, Fields& fields);

}  // namespace lockstep::cli
