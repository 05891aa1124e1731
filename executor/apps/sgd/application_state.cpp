#include "apps/sgd/application_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/sgd/sweeps.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/checkpoint_file.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/id_match.hpp"

namespace lockstep::sgd {

namespace {

/// Parses an interval: "5" is a number of sweeps, "60s" a number of seconds. Throws UsageError if the text is
/// neither.
void read_interval(const std::string& text, std::uint64_t& sweeps, double& seconds) {
    constexpr std::uint64_t most = 1'000'000'000;
    constexpr double longest = 1e9;
    if (text.ends_with('s')) {
        if (const auto value = parse_number(std::string_view(text).substr(0, text.size() - 1), 0.0, longest))
            return void(seconds = *value);
    } else if (const auto value = parse_number<std::uint64_t>(text, 1, most)) {
        return void(sweeps = *value);
    }
    throw UsageError(fmt::format(
        "--checkpoint-every requires a number of sweeps, 1 to {}, or of seconds, e.g. 60s, not {}", most,
        text));
}

/// Parameters in the run record that do not affect the result, only how it is computed.
constexpr std::string_view of_the_device[] = {"gpus", "processes", "streamed_bytes", "copy_bytes_per_second"};

template <class T>
std::string differ(const std::string& what, const T& was, const T& is) {
    return fmt::format("its {} was {}, not {}", what, was, is);
}

/// Compares the run of a checkpoint with a new run. Returns a description of the first difference that would
/// change the result; empty if there is none.
std::string difference(const RunHeader& was, const RunHeader& is) {
    if (was.strategy != is.strategy) return differ("strategy", was.strategy, is.strategy);
    if (was.schedule_hash != is.schedule_hash) return "it has another schedule";
    if (was.seed != is.seed) return differ("seed", was.seed, is.seed);
    if (was.test_edges != is.test_edges) return differ("number of test edges", was.test_edges, is.test_edges);
    std::map<std::string, std::string> before = was.parameters, now = is.parameters;
    for (auto* parameters : {&before, &now}) {
        for (const std::string_view key : of_the_device) parameters->erase(std::string(key));
    }
    for (const auto& [key, value] : now) {
        const std::string& of_before = before[key];
        if (of_before != value) return differ(key, of_before.empty() ? "none" : of_before, value);
    }
    for (const auto& [key, value] : before) {
        if (!now.contains(key) && !value.empty()) return differ<std::string>(key, value, "none");
    }
    return {};
}

}  // namespace

Model model_of(const Input& input, const RunHeader& h, const Factors& factors, const Biases& biases,
               std::uint64_t sweeps) {
    const Dataset& data = input.file.dataset;
    Model model{h.rows,
                h.cols,
                h.rank,
                compact(factors.row, h.rank),
                compact(factors.col, h.rank),
                data.row_ids,
                data.col_ids,
                h.graph_hash,
                h.parameters,
                biases,
                input.part ? TakenItems() : taken_items(data)};
    model.parameters["strategy"] = h.strategy;
    model.parameters["seed"] = std::to_string(h.seed);
    model.parameters["sweeps"] = std::to_string(sweeps);
    return model;
}

void StateOptions::list(Fields& more) {
    more.text("init", init_, "MODEL.h5",
              "begin with the factors of this model, matched by ID; vertices that are not in the model begin "
              "with the usual initial factors");
    more.text(
        "checkpoint", checkpoint_, "FILE.h5",
        "save the state of the run to this file, from which --resume continues; the file is also a model");
    more.text("checkpoint-every", interval_, "N|Ns",
              "number of sweeps (N), or of seconds (Ns), between checkpoints; a checkpoint is also made when "
              "the run ends or is interrupted");
    more.flag("resume", resume_,
              "continue from the --checkpoint file if it exists; deterministic strategies: the result is "
              "bitwise identical to that of an uninterrupted run");
}

void StateOptions::settle(const Fields& given, Device device) {
    read_interval(interval_, every_sweeps_, every_seconds_);
    if (!checkpoint_ && (resume_ || given.is_given("checkpoint-every")))
        throw UsageError(
            fmt::format("--{} requires --checkpoint FILE", resume_ ? "resume" : "checkpoint-every"));
    if (checkpoint_ && device == Device::reference)
        throw UsageError("--device reference has factors in double precision and cannot write checkpoints");
    if (init_) refuse_standard_input(*init_, "a model");
}

void StateOptions::add_outputs(std::vector<Output>& outputs) const {
    if (checkpoint_) outputs.push_back({"--checkpoint", *checkpoint_, model_output, resume_});
}

void StateOptions::begin_with_model(const Input& input, const SgdOptions& options, RunStart& beginning) {
    const Model model = read_model(*init_);
    const auto refuse = [&](const std::string& what) {
        throw Error(Failure::usage, fmt::format("--init {}: {}", *init_, what));
    };
    if (model.rank != options.rank)
        refuse(fmt::format("the model has rank {}; give --rank {}", model.rank, model.rank));
    const bool biased = options.form == ModelForm::biased;
    if (model.biases.empty() == biased)
        refuse(fmt::format("the model is {0}; give --model-form {0}", biased ? "plain" : "biased"));
    const Dataset& data = input.file.dataset;
    auto row = match_ids(data.row_ids, model.row_ids), col = match_ids(data.col_ids, model.col_ids);
    const auto known = [](const auto& of) {
        return of.size() - static_cast<std::size_t>(std::count(of.begin(), of.end(), std::nullopt));
    };
    if (known(row) + known(col) == 0)
        refuse(fmt::format("the model has no id of the graph; the model has rows {} and columns {}",
                           model.row_ids.describe(), model.col_ids.describe()));
    remark_ = fmt::format("initialized from {}: the vectors of {} of {} rows and {} of {} columns", *init_,
                          text::group_digits(known(row)), text::group_digits(row.size()),
                          text::group_digits(known(col)), text::group_digits(col.size()));
    beginning.warm = [model, row = std::move(row), col = std::move(col)](Factors& factors) {
        const std::size_t stride = stride_of(model.rank);
        const auto take = [&](const auto& from, const std::vector<float>& dense, Array<float>& to) {
            for (std::size_t v = 0; v < from.size(); ++v) {
                if (from[v])
                    std::copy_n(dense.data() + std::size_t{*from[v]} * model.rank, model.rank,
                                to.data() + v * stride);
            }
        };
        take(row, model.row_factors, factors.row);
        take(col, model.col_factors, factors.col);
    };
}

[[noreturn]] void StateOptions::refuse_checkpoint(const std::string& what) const {
    throw Error(Failure::usage, fmt::format("--resume: {} is the checkpoint of another run: {}; give the "
                                            "input and options of that run, or another --checkpoint",
                                            *checkpoint_, what));
}

void StateOptions::resume(const Input& input, const SgdOptions& options, RunStart& beginning) {
    Checkpoint found = read_checkpoint(*checkpoint_);
    was_ = std::move(found.run);
    if (was_->graph_hash != input.file.summary.graph_hash) refuse_checkpoint("it has another graph");
    if (was_->rank != options.rank) refuse_checkpoint(differ("rank", was_->rank, options.rank));
    const auto factors = [&](const std::vector<float>& row, const std::vector<float>& col) {
        return Factors{pad_vectors(row, options.rank), pad_vectors(col, options.rank), found.kept.biases};
    };
    State& state = beginning.state.emplace();
    state.kept = factors(found.kept.row_factors, found.kept.col_factors);
    state.kept_sweep = found.kept_sweep;
    if (!found.row_factors.empty()) {
        state.present = factors(found.row_factors, found.col_factors);
        state.present->biases = std::move(found.biases);
    }
    state.sweeps = std::move(found.sweeps);
    if (state.sweeps.size() > options.sweeps)
        refuse_checkpoint(fmt::format("it already has {} sweeps, more than --sweeps {}", state.sweeps.size(),
                                      options.sweeps));
    done_.sweeps = state.sweeps, done_.kept_sweep = state.kept_sweep;
    remark_ = fmt::format("continues from {} after sweep {}", *checkpoint_, state.sweeps.size());
}

void StateOptions::apply(const Input& input, const SgdOptions& options, RunStart& beginning) {
    remark_.clear(), was_.reset();
    // Either all processes resume or none. If any process finds the file, all processes read it, and a
    // process that has no file then throws an error.
    if (resume_ && ranks().most(std::filesystem::exists(*checkpoint_)) != 0) {
        resume(input, options, beginning);
    } else {
        if (init_) begin_with_model(input, options, beginning);
        if (resume_)
            remark_ += fmt::format("{}there is no {} yet: the run starts with the first sweep",
                                   remark_.empty() ? "" : "; ", *checkpoint_);
    }
    if (!checkpoint_) return;
    beginning.every_sweeps = every_sweeps_, beginning.every_seconds = every_seconds_;
    beginning.keep = [this, &input](const State& state) {
        if (!ranks().first()) return;
        const std::uint32_t rank = header_.rank;
        Checkpoint checkpoint;
        checkpoint.kept = model_of(input, header_, state.kept, state.kept.biases, state.kept_sweep);
        checkpoint.kept_sweep = state.kept_sweep;
        if (state.present) {
            checkpoint.row_factors = compact(state.present->row, rank);
            checkpoint.col_factors = compact(state.present->col, rank);
            checkpoint.biases = state.present->biases;
        }
        checkpoint.run = header_, checkpoint.sweeps = state.sweeps;
        write_checkpoint(*checkpoint_, checkpoint);
    };
}

void StateOptions::start(const Input& input, RunHeader header, const SgdOptions& options,
                         const Outcome& outcome) {
    const ScheduleFileSummary& s = input.file.summary;
    header_ = std::move(header);
    header_.app = "sgd", header_.strategy = input.strategy.name;
    header_.graph_hash = s.graph_hash, header_.schedule_hash = input.summary ? input.summary->hash : "";
    header_.rows = s.rows, header_.cols = s.cols, header_.edges = s.edges;
    if (!was_) return;
    if (const std::string what = mismatch(done_, options, outcome); !what.empty()) refuse_checkpoint(what);
    if (const std::string what = difference(*was_, header_); !what.empty()) refuse_checkpoint(what);
}

}  // namespace lockstep::sgd
