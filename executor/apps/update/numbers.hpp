// The numbers in the structs of an update (states, edge data and parameters): their type names for messages,
// and how values are stored in them.
#pragma once

#include <span>
#include <string>

#include "apps/update/source.hpp"
#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// Returns the type of a number in the notation of NumPy: "float32".
std::string type_name(const Number& number);
/// Returns a list of the fields of a struct for messages: "float32 x, float32 y". Only the types are listed
/// if the names are unknown.
std::string field_list(const Layout& layout);
/// Returns the field with this name; nullptr if there is none.
const Field* find_field(const Layout& layout, const std::string& name);
/// Returns the numbers of which a field consists: several if the field is an array.
std::span<const Number> numbers_of(const Layout& layout, const Field& field);

/// Stores a value as `number` of the struct at `to`, rounded to the precision of its type. Returns false if
/// the type cannot represent the value: a fraction or a value out of range for an integer, a value other than
/// 0 and 1 for a bool, or a finite value out of range for a float.
bool store(const Number& number, long double value, std::byte* to);

/// A parameter of the update and its value, as given by --set NAME=NUMBER.
struct Setting {
    std::string name;
    std::string text;  ///< the value as the user has written it

    /// Returns the value as it is printed in messages and stored in the run record.
    std::string value() const;
};
/// Stores the values of the settings in the struct of parameters at `to`. Throws FormatError if the struct
/// has no such field, and Error (usage) if a field cannot represent its value.
void set_parameters(const std::vector<Setting>& settings, const Layout& layout, const Source& source,
                    std::byte* to);

}  // namespace lockstep::update
