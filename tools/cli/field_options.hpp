// Command-line options that are generated from lists of fields.
#pragma once

#include "cli.hpp"
#include "lockstep/formats/fields.hpp"

namespace lockstep::cli {

/// Adds one option per field; its default is the field's current value.
void add_fields(Options& options, const Fields& fields);

/// Stores the given values, and the defaults of options, in the variables of the fields.
void take_fields(const Values& values, Fields& fields);

}  // namespace lockstep::cli
