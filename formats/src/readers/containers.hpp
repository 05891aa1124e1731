// Formats that are read directly from a file instead of from a stream of bytes: HDF5 and NumPy's archives.
#pragma once

#include <filesystem>
#include <span>

#include "lockstep/formats/input_file.hpp"
#include "readers.hpp"

namespace lockstep::readers {

struct ContainerJob {
    const std::filesystem::path& path;
    const ReadOptions& options;
    Budget& budget;
};

struct Container {
    const char* name;
    const char* description;
    Parsed (*read)(const ContainerJob&);
};

std::span<const Container> containers();

/// Returns the container format of a file, detected by its first bytes; nullptr for other files and for a
/// pipe. Throws FormatError with advice on exporting for an HDF5 file of another kind, and if `format` names
/// another format.
const Container* container_of(const InputFile& file, const std::optional<std::string>& format);

Parsed read_anndata(const ContainerJob& job);
Parsed read_10x(const ContainerJob& job);
Parsed read_npz(const ContainerJob& job);

/// Returns "anndata" or "10x". Throws FormatError for an HDF5 file of another kind.
const char* hdf5_format(const std::filesystem::path& path);

}  // namespace lockstep::readers
