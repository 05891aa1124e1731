// Reads a user's file with an update, as far as needed before it is compiled.
#pragma once

#include <string>
#include <vector>

namespace lockstep::update {

/// The file and the struct of an update, from "spring.hpp", or "spring.hpp:Spring" if the file has several
/// structs with an update.
struct Source {
    std::string path;
    std::string name;  ///< name of the struct with its namespaces: "cloth::Spring"
};
/// Finds the update that `given` names. Throws FormatError if the file cannot be read or has no struct with a
/// function `update`, Error (usage) if it has several and `given` names none.
Source find_update(const std::string& given);

/// Returns the words of the file that may name fields, sorted: its identifiers, without the keywords of C++.
/// Throws FormatError.
std::vector<std::string> identifiers(const Source& source);

/// Returns the bytes of a file. Throws FormatError.
std::string text_of(const std::string& path);

}  // namespace lockstep::update
