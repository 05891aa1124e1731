#include "insight/cache.hpp"

#include <fmt/format.h>

#include <cstring>

#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/input_file.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::insight {

std::filesystem::path cache_file(const DeviceInfo& device, std::uint32_t rank) {
    ContentHash hash;
    hash.add(fmt::format("{}\n{}\n{}\n{}\n{}", device.kind, device.name, device.threads, device.driver,
                         Probe::format));
    return cache_folder() /
           fmt::format("probe-{}-rank{}-{}.json", device.kind, rank, hash.hex().substr(0, 12));
}

Probe read_probe(const std::filesystem::path& path) {
    return probe_from_json(InputFile(path).read_rest(), path.string());
}

std::string probe_text(const Probe& probe) {
    return text::escaped_json(
               to_json(probe).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) +
           "\n";
}

void write_probe(const std::filesystem::path& path, const Probe& probe) {
    std::error_code error;
    if (!path.parent_path().empty()) std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw OutputError(path.string(), error.message());
    AtomicFile file(path);
    const std::string text = probe_text(probe);
    if (const int code = file.write(0, text.data(), text.size()))
        throw OutputError(path.string(), std::string("cannot be written: ") + std::strerror(code));
    file.commit();
}

std::optional<std::string> foreign(const Probe& probe, const DeviceInfo& device, std::uint32_t rank) {
    if (probe.device.kind != device.kind || probe.device.name != device.name ||
        probe.device.threads != device.threads)
        return fmt::format("it was measured on {}, but this device is {}", device_text(probe.device),
                           device_text(device));
    if (probe.device.driver != device.driver)
        return fmt::format("it was measured with {}, but this machine has {}", probe.device.driver,
                           device.driver);
    if (probe.rank != rank) return fmt::format("it was measured at rank {}; expected {}", probe.rank, rank);
    return std::nullopt;
}

Figures find_probe(const DeviceInfo& device, std::uint32_t rank, const std::optional<std::string>& file,
                   std::string* note, std::uint64_t built_in_threads) {
    const auto measured = [](Probe probe, const std::string& path) {
        std::string text = fmt::format("measured {} ({})", probe.measured, path);
        return Figures{std::move(probe), std::move(text)};
    };
    if (file) {
        Probe probe = read_probe(*file);
        if (const auto reason = foreign(probe, device, rank)) {
            throw FormatError(*file, fmt::format("is not a probe of this device and rank: {}; measure with "
                                                 "lockstep-probe --rank {}, or use --device probe",
                                                 *reason, rank));
        }
        return measured(std::move(probe), *file);
    }
    const std::filesystem::path cached =
        known_cache_folder() ? cache_file(device, rank) : std::filesystem::path();
    if (!cached.empty() && is_cached(cached)) {
        Probe probe = read_probe(cached);
        const auto reason = foreign(probe, device, rank);
        if (!reason) return measured(std::move(probe), cached.string());
        *note = fmt::format("the cached probe {} is not used: {}", cached.string(), *reason);
    } else {
        *note = "no probe of this device and rank is cached";
    }
    DeviceInfo like = device;
    if (built_in_threads) like.threads = built_in_threads;
    Figures figures;
    figures.probe = built_in_probe(like, rank, &figures.text);
    *note += fmt::format(": predicting with {}; lockstep-probe --rank {} measures this device", figures.text,
                         rank);
    return figures;
}

}  // namespace lockstep::insight
