// A user's file with an update, read as far as it must be understood before it is compiled.
#pragma once

#include <string>
#include <vector>

namespace lockstep::update {

/// "spring.hpp", or "spring.hpp:Spring" if the file has several structs with an update.
struct Source {
    std::string path;
    std::string name;  ///< of the struct, with its namespaces: "cloth::Spring"
};
/// Throws FormatError if the file cannot be read or has no struct with a function `update`, Error (usage) if
/// it has several and `given` names none.
Source find_update(const std::string& given);

/// The words of the file that may name fields, sorted: its identifiers, without the keywords of C++. Throws
/// FormatError.
std::vector<std::string> identifiers(const Source& source);

/// Returns the bytes of a file. Throws FormatError.
std::string text_of(const std::string& path);

}  // namespace lockstep::update
