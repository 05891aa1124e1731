#include "cache.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <fstream>
#include <sstream>

#include "cache_folder.hpp"
#include "cli.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"
#include "measure.hpp"
#include "output_file.hpp"

namespace lockstep::insight {

std::filesystem::path cache_file(const DeviceInfo& device, std::uint32_t rank) {
    ContentHash hash;
    hash.add(fmt::format("{}\n{}\n{}\n{}\n{}", device.kind, device.name, device.threads, device.driver,
                         Probe::format));
    return cli::cache_folder() /
           fmt::format("probe-{}-rank{}-{}.json", device.kind, rank, hash.hex().substr(0, 12));
}

Probe read_probe(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        throw FormatError(path.string(), "cannot be read; make a probe with lockstep-probe --json");
    return probe_from_json(text.str(), path.string());
}

void write_probe(const std::filesystem::path& path, const Probe& probe) {
    std::error_code error;
    if (!path.parent_path().empty()) std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw OutputError(path.string(), error.message());
    cli::OutputFile file(path.string());
    file.write(cli::json_text(to_json(probe), 1) + "\n");
    file.commit();
}

std::optional<std::string> foreign(const Probe& probe, const DeviceInfo& device, std::uint32_t rank) {
    if (probe.device.kind != device.kind || probe.device.name != device.name ||
        probe.device.threads != device.threads)
        return fmt::format("it is of {}, this device is {}", device_text(probe.device), device_text(device));
    if (probe.device.driver != device.driver)
        return fmt::format("it was measured with {}, this machine has {}", probe.device.driver,
                           device.driver);
    if (probe.rank != rank) return fmt::format("it is of rank {}, not {}", probe.rank, rank);
    return std::nullopt;
}

DeviceInfo device_info(Device device, int threads) {
    return device == Device::cuda ? cuda_device() : cpu_device(threads > 0 ? threads : omp_get_max_threads());
}

Probe cached_or_measured(Device device, std::uint32_t rank, int threads, bool fresh,
                         const std::function<void(const std::string&)>& note) {
    check_rank(rank);
    const DeviceInfo info = device_info(device, threads);
    const std::filesystem::path path = cache_file(info, rank);
    if (!fresh && std::filesystem::exists(path)) {
        Probe probe = read_probe(path);
        const auto reason = foreign(probe, info, rank);
        if (!reason) return note("as measured before; --fresh measures again (" + path.string() + ")"), probe;
        note(fmt::format("{} is not used: {}", path.string(), *reason));
    }
    note("measuring; some seconds");
    const Probe probe = measure(device, rank, threads);
    try {
        write_probe(path, probe);
        note("kept in " + path.string());
    } catch (const OutputError& e) {
        note(std::string("not kept: ") + e.what());
    }
    return probe;
}

Figures find_probe(const DeviceInfo& device, std::uint32_t rank, const std::optional<std::string>& file,
                   std::string* note) {
    const auto measured = [](Probe probe, const std::string& path) {
        std::string text = fmt::format("measured {} ({})", probe.measured, path);
        return Figures{std::move(probe), std::move(text)};
    };
    if (file) {
        Probe probe = read_probe(*file);
        if (const auto reason = foreign(probe, device, rank)) {
            throw FormatError(*file, fmt::format("is no probe of what is asked for: {}; measure with "
                                                 "lockstep-probe --rank {}, or say --device probe",
                                                 *reason, rank));
        }
        return measured(std::move(probe), *file);
    }
    const std::filesystem::path cached = cache_file(device, rank);
    if (std::filesystem::exists(cached)) {
        Probe probe = read_probe(cached);
        const auto reason = foreign(probe, device, rank);
        if (!reason) return measured(std::move(probe), cached.string());
        *note = fmt::format("the cached probe {} is not used: {}", cached.string(), *reason);
    } else {
        *note = "no probe of this device and rank is cached";
    }
    Figures figures;
    figures.probe = built_in_probe(device, rank, &figures.text);
    *note += fmt::format(": predicting with {}; lockstep-probe --rank {} measures", figures.text, rank);
    return figures;
}

}  // namespace lockstep::insight
