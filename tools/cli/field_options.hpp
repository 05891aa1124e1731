// Command-line options that are generated from lists of fields.
#pragma once

#include "lockstep/formats/fields.hpp"
#include "values.hpp"

namespace lockstep::cli {

/// Adds the option of a field, unless there is one of that name; its default is the field's current value.
void add_field(Options& options, const Field& field);
/// Adds one option per field.
void add_fields(Options& options, const Fields& fields);

/// Stores the given values, and the defaults of options, in the variables of the fields.
void take_fields(const Values& values, Fields& fields);

}  // namespace lockstep::cli
