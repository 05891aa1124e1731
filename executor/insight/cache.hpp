// The cache of measured probes (files with the performance figures of one device), and the choice of the
// probe from which times on a device are predicted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "insight/probe.hpp"

namespace lockstep::insight {

/// Returns the path of the file for a probe of this device and rank in cache_folder(). The name of the file
/// contains a hash of the device (kind, name, threads, driver) and of the format of probes.
std::filesystem::path cache_file(const DeviceInfo& device, std::uint32_t rank);

/// Reads a probe from a file. Throws FormatError if the file is not a probe.
Probe read_probe(const std::filesystem::path& path);
/// Returns the probe as JSON text, which ends with a newline.
std::string probe_text(const Probe& probe);
/// Writes a probe to a file, which appears only when it is complete, and creates missing folders. Throws
/// OutputError.
void write_probe(const std::filesystem::path& path, const Probe& probe);

/// Returns the reason why a probe may not be used for this device and rank, such as another driver; nullopt
/// if it may be used.
std::optional<std::string> foreign(const Probe& probe, const DeviceInfo& device, std::uint32_t rank);

/// A probe, and a description of its origin.
struct Figures {
    Probe probe;
    /// Origin of the probe, such as "measured 2025-01-02T03:04:05Z (FILE)" or "built-in figures of NVIDIA
    /// H200".
    std::string text;
};

/// Returns the figures from which times on a device are predicted: those of the probe `file` if it is given,
/// otherwise those of the cached probe, otherwise built-in figures (built_in_probe). In the last case,
/// `*note` receives the reason why there is no cached probe or why it is not used. If `built_in_threads` > 0,
/// built-in figures are for this number of CPU threads instead of the device's. Throws FormatError if `file`
/// is the probe of another device, driver or rank.
Figures find_probe(const DeviceInfo& device, std::uint32_t rank, const std::optional<std::string>& file,
                   std::string* note, std::uint64_t built_in_threads = 0);

/// Returns the names of the device classes with built-in figures: "h200", …. The figures are for rank 16.
std::vector<std::string> built_in_classes();
/// Returns the built-in figures of the device class `name`; nullopt if there is no such class.
std::optional<Probe> built_in_class(const std::string& name);
/// Returns built-in figures for a device without a probe: those of the device class of the same kind (CPU or
/// GPU). The device and the rank in the result are those of the arguments. `*text` receives a description of
/// the origin.
Probe built_in_probe(const DeviceInfo& device, std::uint32_t rank, std::string* text);

}  // namespace lockstep::insight
