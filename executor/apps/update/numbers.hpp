// Numbers of an update's structs: their names for messages, and values that are stored in them.
#pragma once

#include <span>
#include <string>

#include "apps/update/source.hpp"
#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// Returns the type of a number as NumPy names it: "float32".
std::string type_name(const Number& number);
/// Lists the fields of a struct: "float32 x, float32 y"; lists the types alone if the names are not known.
std::string field_list(const Layout& layout);
/// Returns the field of that name, or nullptr.
const Field* find_field(const Layout& layout, const std::string& name);
/// Returns the numbers of a field.
std::span<const Number> numbers_of(const Layout& layout, const Field& field);

/// Stores a value in the struct at `to`, rounded to a float of its size. Returns false if the type cannot
/// hold the value: an integer holds no fraction and nothing beyond its range, a bool holds 0 and 1 only, a
/// float holds no finite value beyond its range.
bool store(const Number& number, long double value, std::byte* to);

/// A field of Parameters and its number, as --set gives them.
struct Setting {
    std::string name;
    std::string text;  ///< the number as text

    /// Returns the value as a program prints it.
    std::string value() const;
};
/// Sets the fields in the struct at `to`. Throws FormatError if there is no such field, Error (usage) if it
/// cannot hold the value.
void set_parameters(const std::vector<Setting>& settings, const Layout& layout, const Source& source,
                    std::byte* to);

}  // namespace lockstep::update
