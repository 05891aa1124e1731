#include "apps/sgd/application_options.hpp"

#include <algorithm>
#include <iterator>

namespace lockstep::sgd {

namespace {

constexpr double max_seconds = 1e9;

constexpr const char* rate_schedules[] = {"constant", "inverse", "exponential"};

}  // namespace

const char* to_string(RateSchedule schedule) { return rate_schedules[static_cast<std::size_t>(schedule)]; }

const char* to_string(ModelForm form) { return form == ModelForm::biased ? "biased" : "plain"; }

void RequestedOptions::list(Fields& basic, Fields& more) {
    list_sweeps(basic, sweeps);
    list_rank(basic, options.rank);
    basic.word("model-form", options.form, {{"plain", ModelForm::plain}, {"biased", ModelForm::biased}},
               "form of the prediction; plain: the product of the factors (as in the paper; always with "
               "--nonnegative); biased: this product plus the mean and a bias of each row and column");
    basic.number("learning-rate", learning_rate, 0, large,
                 "learning rate of the first sweep; default: plain 0.01, biased chosen by the weights");
    list_regularisation(basic, regularisation);
    list_test_fraction(basic, options.test_fraction);
    list_model(basic, model);
    more.word("storage", options.storage, {{"fp32", Storage::fp32}, {"fp16", Storage::fp16}},
              "precision of the factors in memory: fp32, or fp16, to which factors are rounded whenever they "
              "are stored; all arithmetic is fp32 (--device reference: fp64)");
    more.word("rate-schedule", rate_schedule,
              {{rate_schedules[0], RateSchedule::constant},
               {rate_schedules[1], RateSchedule::inverse},
               {rate_schedules[2], RateSchedule::exponential}},
              "learning rate of sweep t: constant, inverse (rate / (1 + decay t)), exponential (rate "
              "decay^t) (default: plain constant; biased inverse)");
    more.number("decay", options.decay, 0, large, "decay of the learning rate in --rate-schedule");
    more.number(
        "regularisation-decay", regularisation_decay, 0, large,
        "regularisation of sweep t = regularisation / (1 + decay t) (default: 0; biased with held-out edges "
        "and without --regularisation: 0.1, or 0.2 for at least 250 training edges per vertex)");
    more.number("refit-biases", refit_biases, 0, max_sweeps,
                "biased: fit the biases again, to the residuals of the factors, after N, 2 N, 4 N, … sweeps; "
                "0 = never (default 5)");
    more.flag("nonnegative", options.nonnegative, "keep all factors at or above zero (NMF)");
    list_early_stop(more, patience);
    more.number("time-limit", options.time_limit, 0, max_seconds,
                "stop after the sweep in which the total time of all sweeps reaches this limit, in seconds; "
                "0 = never");
    more.number("evaluate-every", options.evaluate_every, 1, max_sweeps, "evaluate the RMSE every N sweeps");
    more.word("train-error", train_errors, {{"each", true}, {"kept", false}},
              "RMSE of the training edges; each: at each evaluation; kept: only for the kept factors, if "
              "edges are held out (default: lockstep-train kept, lockstep-execute each)");
    more.number("racing-workers", options.racing_workers, 0, max_sweeps,
                "hogwild on the GPU: maximum number of edges in flight; 0 = chosen from the graph")
        .for_gpu();
    more.number("gpus", options.gpus, 1, 64,
                "tiled: number of GPUs, which share the groups of the schedule (lockstep-preprocess --gpus)");
    more.word("phase-order", options.phase_order,
              {{"mixed", PhaseOrder::mixed}, {"given", PhaseOrder::given}},
              "agm-e, agm-n, sgm, diag, blkdiag, stars, el-sgm: order of the phases; mixed: pseudo-random, "
              "which learns as well as shuffled edges; given: that of the schedule, as in the paper");
    more.number("attempts", options.attempts, 0, 1'000'000,
                "el, el-shuffled, nl-el, el-sgm: number of attempts to lock an edge, without waiting for a "
                "hub, before the edge is deferred to the next pass; 1 = the paper's EL; 0 = the fastest "
                "number for the device");
    more.word("components", options.by_component, {{"1", true}, {"4", false}},
              "agm-e, diag on a GPU: vector components per thread; 1 = the paper's F x E threads of Diag, "
              "one per factor and edge (rank 9 to 16, fp32)");
    more.text("device-memory", device_memory, "SIZE",
              "tiled: maximum memory of each GPU, e.g. 8G; data that does not fit is copied from the host in "
              "every sweep (default: all free memory)")
        .for_gpu();
}

void RequestedOptions::settle(const Fields& given, Device device, int threads, bool split_given) {
    SgdOptions& o = options;
    o.device = device, o.threads = threads;
    o.split_given = split_given;
    if (split_given) o.test_fraction = 0;
    if (o.nonnegative && !given.is_given("model-form")) o.form = ModelForm::plain;
    if (o.form == ModelForm::biased) set_biased_defaults(o);
    if (sweeps) o.sweeps = *sweeps;
    if (learning_rate) o.learning_rate = *learning_rate, o.scaled_rate = false;
    if (regularisation) {
        o.regularisation = *regularisation;
        o.scaled_regularisation = false, o.regularisation_decay = 0, o.dense = false;
    }
    if (regularisation_decay) o.regularisation_decay = *regularisation_decay, o.dense = false;
    if (refit_biases) o.refit_biases = *refit_biases;
    if (patience) o.patience = *patience, o.patience_if_any = false;
    if (rate_schedule) o.rate_schedule = *rate_schedule;
    o.train_errors = train_errors.value_or(true);
    if (device_memory) o.device_memory = size_of("device-memory", *device_memory);
    check_options(o);
}

}  // namespace lockstep::sgd
