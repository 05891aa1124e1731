#include "prepare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/sgd/application_auto.hpp"
#include "apps/sgd/driver.hpp"
#include "insight/build_options.hpp"
#include "insight/model.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/file_mark.hpp"
#include "outputs.hpp"

namespace lockstep::train {

namespace {

using Json = nlohmann::ordered_json;

class Preparation {
public:
    Preparation(const TrainPreparationOptions& wanted, const sgd::SgdOptions& options,
                const Application& application, Request& request, const cli::Common& common,
                std::shared_ptr<ScheduleFile> file)
        : wanted_(wanted),
          options_(options),
          app_(application),
          request_(request),
          common_(common),
          shared_(std::move(file)) {
        if (!request.graph) read();
        if (wanted.remedy) require_weights();
        if (application.spec().strategies != std::string_view(edge_updates)) return;  // no schedule is built
        figures_ = figures_of(options, common);
        build_ = insight::build_options(figures_.probe);
        build_.half_precision = options.storage == sgd::Storage::fp16;
        build_.rank = wanted.rank;
        build_.gpus = static_cast<VertexId>(options.gpus);
        build_.seed = options.seed;
    }

    Prepared take() {
        std::optional<Choice> choice;
        std::vector<std::string> strategies{wanted_.strategy};
        if (wanted_.strategy == "auto") {
            choice = choose();
            strategies = choice->strategies;
            cli::note(common_, fmt::format("auto: {}", choice->reason));
        }
        for (std::size_t i = 0;; ++i) {
            request_.strategy = strategies[i];
            if (std::optional<Input> input = input_for(find_strategy(strategies[i], app_.spec().strategies),
                                                       i + 1 == strategies.size()))
                return prepared(std::move(*input), std::move(choice));
        }
    }

private:
    void read() {
        PreprocessInput read = read_input(wanted_.input, wanted_.reading, stage_);
        file_.dataset = std::move(read.dataset), file_.schedules = std::move(read.schedules);
        seconds_ = read.seconds;
    }
    /// Throws FormatError if all weights are equal: a model of equal weights consists only of their mean.
    void require_weights() const {
        const EdgeId edges = graph().edges();
        EdgeId same = 1;
        while (same < edges && graph().weight(same) == graph().weight(0)) ++same;
        if (edges > 1 && same == edges)
            throw FormatError(
                wanted_.input,
                fmt::format(
                    "all {} weights are {}, so no model can be learnt; expected different ratings. If an "
                    "edge means that an item was taken: {} (to train nevertheless: --model-form plain)",
                    cli::group_digits(edges), graph().weight(0), *wanted_.remedy));
    }
    const Graph& graph() const { return file_.dataset.graph; }
    TimedSchedule* find(const std::string& name) {
        const auto found = std::find_if(file_.schedules.begin(), file_.schedules.end(),
                                        [&](const TimedSchedule& s) { return s.schedule.name == name; });
        return found == file_.schedules.end() ? nullptr : &*found;
    }

    Choice choose() const {
        if (build_.gpus > 1)
            return {{"tiled"},
                    "tiled: the only strategy that runs on several GPUs.",
                    {"chosen_by", "auto"},
                    {},
                    "auto"};
        const cli::Stopwatch watch;
        // The schedules of a graph in memory were built by earlier calls, with the times that they took then.
        // A choice based on these times would differ from call to call.
        Choice choice =
            file_.schedules.empty() || request_.graph
                ? choose_strategy(graph(), wanted_.input, build_, figures_, wanted_.sweeps)
                : choose_strategy(
                      insight::statistics_of(
                          summarize_schedule_file(file_.dataset, file_.schedules, seconds_), build_),
                      figures_, wanted_.sweeps);
        choice.json["seconds"] = watch.seconds();
        return choice;
    }

    /// Returns the input of a run with this strategy; nothing if the strategy does not fit and is not the
    /// last candidate.
    std::optional<Input> input_for(const Strategy& strategy, bool last) {
        const auto leave_out = [&](const std::string& why) {
            cli::note(common_, fmt::format("auto: {} is not possible: {}", strategy.name, why));
            return std::nullopt;
        };
        const std::string name = request_.order.value_or(strategy.schedule ? strategy.schedule : "given");
        bool built = false;
        if (name != "given" && !find(name)) {
            const Builder& builder = find_builder(name);
            check_memory(graph(), {&builder}, true, wanted_.reading.memory_limit, stage_);
            stage_("scheduling " + name);
            try {
                file_.schedules.push_back(build_verified(graph(), builder, build_, seconds_));
                seconds_.schedule += file_.schedules.back().seconds;
            } catch (const NoLocality& e) {
                if (last) throw;
                return leave_out(e.what());
            }
            built = true;
        }
        file_.summary = summarize_schedule_file(file_.dataset, file_.schedules, seconds_);
        Input input(request_, common_, strategy, shared_, built);
        if (last) return input;
        const auto why = sgd::why_not(input.graph(), input.strategy, input.schedule(), options_);
        if (why) return leave_out(*why);
        return input;
    }

    Prepared prepared(Input input, std::optional<Choice> choice) {
        ScheduleFileSummary& s = input.file.summary;
        if (wanted_.keep) {
            stage_("writing " + *wanted_.keep);
            s.seconds.write =
                write_schedule_file(*wanted_.keep, input.file.dataset, input.file.schedules, seconds_);
            for (const ScheduleSummary& schedule : s.schedules) {
                if (input.proof && schedule.name == input.timed->schedule.name)
                    store_verification(s.graph_hash, schedule.hash);
            }
        }
        Json json{{"input",
                   {{"file", wanted_.input},
                    {"format", s.source.format},
                    {"compression", s.source.compression},
                    {"rows", s.rows},
                    {"cols", s.cols},
                    {"edges", s.edges},
                    {"repeats", s.source.repeats},
                    {"drawn", s.source.drawn},
                    {"graph_hash", s.graph_hash},
                    {"kept", wanted_.keep ? Json(*wanted_.keep) : Json(nullptr)}}}};
        const std::string schedule =
            input.timed ? fmt::format(", scheduled in {}, verified in {}",
                                      cli::duration(input.timed->seconds), cli::duration(seconds_.verify))
                        : std::string();
        const std::string text = fmt::format(
            "{}: {} x {}, {} ratings, read in {}{}\n", wanted_.input, cli::group_digits(s.rows),
            cli::group_digits(s.cols), cli::group_digits(s.edges), cli::duration(seconds_.read), schedule);
        // The times in a schedule file belong to the program that built the schedule.
        const bool read_here = !request_.graph && !is_lockstep_file(wanted_.input, cli::schedule_output.hdf5);
        if (read_here || request_.graph) input.verify_seconds += seconds_.verify;
        return {std::move(input), std::move(choice), json, text, read_here};
    }

    const TrainPreparationOptions& wanted_;
    const sgd::SgdOptions& options_;
    const Application& app_;
    Request& request_;
    const cli::Common& common_;
    const Stage stage_ = [this](const std::string& text) {
        cli::check_signal();
        cli::note(common_, text);
    };
    const std::shared_ptr<ScheduleFile> shared_;
    ScheduleFile& file_ = *shared_;
    PreprocessSeconds seconds_;
    insight::Figures figures_;
    BuildOptions build_;
};

}  // namespace

Prepared prepare(const TrainPreparationOptions& wanted, const sgd::SgdOptions& options,
                 const Application& application, Request& request, const cli::Common& common) {
    const auto file = request.graph ? request.graph : std::make_shared<ScheduleFile>();
    return Preparation(wanted, options, application, request, common, file).take();
}

}  // namespace lockstep::train
