// Examines a user's source file before it is compiled: finds the struct of the update and the names of its
// fields.
#pragma once

#include <string>
#include <vector>

namespace lockstep::update {

/// The file and the struct of an update. The user gives "spring.hpp", or "spring.hpp:Spring" if the file
/// contains several updates.
struct Source {
    std::string path;
    std::string name;  ///< name of the struct with its namespaces: "cloth::Spring"
};
/// Finds the update that the text `given` selects. Throws FormatError if the file cannot be read or has no
/// struct with a function `update`, and Error (usage) if it has several such structs and `given` does not
/// select one.
Source find_update(const std::string& given);

/// Returns all words of the file that may be names of fields, sorted: its identifiers except C++ keywords.
/// Throws FormatError if the file cannot be read.
std::vector<std::string> identifiers(const Source& source);

/// Returns the contents of a file. Throws FormatError if it cannot be read.
std::string text_of(const std::string& path);

}  // namespace lockstep::update
