#include "apps/sgd/application_auto.hpp"

#include <omp.h>

#include <algorithm>

#include "insight/build_options.hpp"
#include "insight/cache.hpp"
#include "insight/recommend.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

namespace {
/// Number of CPU threads for which the built-in performance figures predict times. It is a constant, so that
/// the chosen strategy, and with it the result, does not depend on the number of threads of a run.
constexpr std::uint64_t threads_of_choice = 4;

Choice make_choice(std::vector<std::string> strategies, const std::string& reason, const std::string& figures,
                   double seconds) {
    return {std::move(strategies),
            reason,
            {"chosen_by", "auto"},
            {{"reason", reason}, {"figures", figures}, {"seconds", seconds}}};
}

/// Sorts the deterministic strategies by their predicted total times. A total time includes building the
/// schedule, if it is missing.
insight::Recommendation ranked(const insight::Statistics& statistics, const insight::Figures& figures,
                               double sweeps) {
    std::vector<insight::Prediction> predictions = insight::predict(statistics, figures.probe);
    std::erase_if(predictions,
                  [](const insight::Prediction& p) { return !find_strategy(p.strategy).deterministic(); });
    return insight::rank(std::move(predictions), {sweeps, false, false});
}
}  // namespace

insight::Figures figures_of(const sgd::SgdOptions& options, const Common& common) {
    std::string ignored, note;
    const Device wanted = options.device == Device::reference ? Device::cpu : options.device;
    // also initializes the CUDA driver, as any run does
    const Device device = usable_device(wanted, &ignored);
    insight::Figures figures =
        insight::find_probe(device_info(device, omp_get_num_procs()), options.rank, std::nullopt, &note,
                            device == Device::cpu ? threads_of_choice : 0);
    if (!note.empty()) lockstep::note(common, note);
    return figures;
}

Choice choose_strategy(const std::string& file, const sgd::SgdOptions& options, const Common& common) {
    if (options.gpus > 1)
        return make_choice({"tiled"}, "tiled: the only strategy that runs on several GPUs.", "none", 0);
    const Stopwatch watch;
    const insight::Figures figures = figures_of(options, common);
    const insight::Statistics statistics =
        insight::statistics_of(read_schedule_file_summary(file), insight::build_options(figures.probe));
    const insight::Recommendation found =
        insight::recommend(statistics, figures.probe, {static_cast<double>(options.sweeps), false, true});
    std::vector<std::string> strategies;
    for (std::size_t i = 0; i < found.eligible; ++i) strategies.push_back(found.ranked[i].strategy);
    return make_choice(std::move(strategies), found.reason, figures.text, watch.seconds());
}

Choice choose_strategy(const insight::Statistics& statistics, const insight::Figures& figures,
                       double sweeps) {
    const Stopwatch watch;
    const insight::Recommendation found = ranked(statistics, figures, sweeps);
    std::vector<std::string> strategies;
    for (std::size_t i = 0; i < found.eligible; ++i) strategies.push_back(found.ranked[i].strategy);
    return make_choice(std::move(strategies), found.reason, figures.text, watch.seconds());
}

Choice choose_strategy(const Graph& graph, const std::string& name, const BuildOptions& options,
                       const insight::Figures& figures, double sweeps) {
    insight::Statistics statistics =
        insight::statistics_without_stars(graph, name, options, insight::Refusals::estimated);
    const std::vector<insight::Prediction> first = ranked(statistics, figures, sweeps).ranked;
    const auto stars = std::ranges::find(first, std::string("stars"), &insight::Prediction::schedule);
    if (graph.edges() && stars != first.end() && stars->preprocess < first.front().total(sweeps))
        insight::count_stars(statistics, graph, options);
    return choose_strategy(statistics, figures, sweeps);
}

}  // namespace lockstep
