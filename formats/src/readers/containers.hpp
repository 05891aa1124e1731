// Formats that are read from a file by itself, not from a stream of bytes: HDF5 and NumPy's archives.
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

/// The container that a file is, by its first bytes; nullptr for anything else, and for a
/// pipe. Throws FormatError, saying how to export it, for one of another kind, and Error (usage) where
/// `format` says something else.
const Container* container_of(const InputFile& file, const std::optional<std::string>& format);

Parsed read_anndata(const ContainerJob& job);
Parsed read_10x(const ContainerJob& job);
Parsed read_npz(const ContainerJob& job);

/// "anndata" or "10x". Throws FormatError for HDF5 of another kind.
const char* hdf5_format(const std::filesystem::path& path);

}  // namespace lockstep::readers
