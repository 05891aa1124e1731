// The formats that are read with random access to a file, not as a stream of bytes: HDF5 and the archives of
// NumPy.
#pragma once

#include <filesystem>
#include <span>

#include "lockstep/formats/input_file.hpp"
#include "readers.hpp"

namespace lockstep::readers {

/// The arguments of a reader of such a format.
struct ContainerJob {
    const std::filesystem::path& path;
    const ReadOptions& options;
    MemoryBudget& budget;
};

/// A format that requires random access, and its reader.
struct Container {
    const char* name;
    const char* description;
    ParsedFile (*read)(const ContainerJob&);
};

/// Returns all formats that require random access.
std::span<const Container> containers();

/// Returns the format of the file, detected by its first bytes, if it requires random access; otherwise, and
/// for a pipe, nullptr. Throws FormatError if the file is an HDF5 file of an unknown kind (with advice for
/// exporting the data), or if the user has requested another format.
const Container* container_of(const InputFile& file, const std::optional<std::string>& format);

ParsedFile read_anndata(const ContainerJob& job);
ParsedFile read_10x(const ContainerJob& job);
ParsedFile read_npz(const ContainerJob& job);

/// Returns "anndata" or "10x". Throws FormatError for any other HDF5 file.
const char* hdf5_format(const std::filesystem::path& path);

}  // namespace lockstep::readers
