#include "apps/sgd/application_auto.hpp"

#include "insight/cache.hpp"
#include "insight/recommend.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

namespace {
Choice made(std::vector<std::string> strategies, const std::string& reason, const std::string& figures,
            double seconds) {
    return {std::move(strategies),
            reason,
            {"chosen_by", "auto"},
            {{"reason", reason}, {"figures", figures}, {"seconds", seconds}}};
}
}  // namespace

Choice choose_strategy(const std::string& file, const sgd::SgdOptions& options, const cli::Common& common) {
    if (options.gpus > 1) return made({"tiled"}, "tiled: it alone runs on several GPUs.", "none", 0);
    std::string ignored, note;
    const Device wanted = options.device == Device::reference ? Device::cpu : options.device;
    const Device device = usable_device(wanted, &ignored);  // what starts the driver, which any run does
    const cli::Stopwatch watch;
    const DeviceInfo info = device_info(device, options.threads);
    const insight::Figures figures = insight::find_probe(info, options.rank, std::nullopt, &note);
    if (!note.empty()) cli::note(common, note);
    const insight::Statistics statistics =
        insight::statistics_of(read_schedule_file_summary(file), insight::build_options(figures.probe));
    const insight::Recommendation found =
        insight::recommend(statistics, figures.probe, {static_cast<double>(options.sweeps), false, true});
    std::vector<std::string> strategies;
    for (std::size_t i = 0; i < found.eligible; ++i) strategies.push_back(found.ranked[i].strategy);
    return made(std::move(strategies), found.reason, figures.text, watch.seconds());
}

}  // namespace lockstep
