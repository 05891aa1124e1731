// Where probes are kept, and which of them may be used.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "insight/probe.hpp"

namespace lockstep::insight {

/// The file of a device, driver, rank and version of Lockstep in cache_folder().
std::filesystem::path cache_file(const DeviceInfo& device, std::uint32_t rank);

/// Throws FormatError on what is no probe.
Probe read_probe(const std::filesystem::path& path);
/// As JSON, with a line end.
std::string probe_text(const Probe& probe);
/// probe_text to a file, atomically, with the folders that lack. Throws OutputError.
void write_probe(const std::filesystem::path& path, const Probe& probe);

/// Why `probe` says nothing of this device at this rank; nothing where it does.
std::optional<std::string> foreign(const Probe& probe, const DeviceInfo& device, std::uint32_t rank);

/// A probe with word of where it comes from.
struct Figures {
    Probe probe;
    std::string text;  ///< "measured 2025-01-02T03:04:05Z (FILE)", "built-in figures of NVIDIA H200"
};

/// Returns the figures to predict with: those of `file`, if it is given, else of the cached probe, else built-in ones
/// (built_in_probe). `*note` gets the reason why there is no cached probe, or why it is not used. With
/// `built_in_threads` > 0, built-in figures are for that number of CPU threads, and not for the device's. Throws
/// FormatError if the file is of another device, driver or rank.
Figures find_probe(const DeviceInfo& device, std::uint32_t rank, const std::optional<std::string>& file,
                   std::string* note, std::uint64_t built_in_threads = 0);

/// Named classes of devices whose figures, measured at rank 16, come with the program: "h200"; and those of
/// one.
std::vector<std::string> built_in_classes();
std::optional<Probe> built_in_class(const std::string& name);
/// For those who have not measured theirs: the figures of the class that this device is of, else of the first
/// one of its kind, as if they were of this device and rank. `*text` says whose they are.
Probe built_in_probe(const DeviceInfo& device, std::uint32_t rank, std::string* text);

}  // namespace lockstep::insight
