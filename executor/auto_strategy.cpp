#include "auto_strategy.hpp"

#include "insight/cache.hpp"
#include "insight/recommend.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

AutoChoice choose_strategy(const ExecuteRequest& request, const cli::Common& common) {
    if (request.sgd.gpus > 1) return {{"tiled"}, "tiled: it alone runs on several GPUs.", "none", 0};
    std::string ignored, note;
    const Device wanted = request.sgd.device == Device::reference ? Device::cpu : request.sgd.device;
    const Device device = usable_device(wanted, &ignored);  // what starts the driver, which any run does
    const cli::Stopwatch watch;
    const DeviceInfo info = device_info(device, request.sgd.threads);
    const insight::Figures figures = insight::find_probe(info, request.sgd.rank, std::nullopt, &note);
    if (!note.empty()) cli::note(common, note);
    const insight::Statistics statistics = insight::statistics_of(read_schedule_file_summary(request.file),
                                                                  insight::build_options(figures.probe));
    const insight::Recommendation found =
        insight::recommend(statistics, figures.probe, {static_cast<double>(request.sgd.sweeps), false, true});
    AutoChoice choice;
    for (std::size_t i = 0; i < found.eligible; ++i) choice.strategies.push_back(found.ranked[i].strategy);
    choice.reason = found.reason;
    choice.figures = figures.text;
    choice.seconds = watch.seconds();
    return choice;
}

}  // namespace lockstep
