// The cache of measured probes, and the choice of the probe that is used for a device.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "insight/probe.hpp"

namespace lockstep::insight {

/// Returns the path of a probe in cache_folder(). Its name has a hash of the device (kind, name, threads,
/// driver) and of the format of probes.
std::filesystem::path cache_file(const DeviceInfo& device, std::uint32_t rank);

/// Reads a probe from a file. Throws FormatError if the file is not a probe.
Probe read_probe(const std::filesystem::path& path);
/// Returns the probe as JSON text that ends with a newline.
std::string probe_text(const Probe& probe);
/// Writes probe_text() to a file atomically, and creates the folders that are missing. Throws OutputError.
void write_probe(const std::filesystem::path& path, const Probe& probe);

/// Returns the reason why `probe` is not valid for this device at this rank; nullopt if it is valid.
std::optional<std::string> foreign(const Probe& probe, const DeviceInfo& device, std::uint32_t rank);

/// A probe, and a description of where it comes from.
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

/// Returns the names of the classes of devices whose figures, measured at rank 16, are built in: "h200", …
std::vector<std::string> built_in_classes();
/// Returns the built-in figures of the class of that name; nullopt if there is no such class.
std::optional<Probe> built_in_class(const std::string& name);
/// Returns built-in figures for a device without a probe: the figures of the class with the name of the
/// device, else of the first class of its kind, labelled with this device and rank. `*text` receives a
/// description of their origin.
Probe built_in_probe(const DeviceInfo& device, std::uint32_t rank, std::string* text);

}  // namespace lockstep::insight
