// The options that all programs which run applications have, and how their values are stored in a request.
#include <fmt/format.h>

#include "command.hpp"

namespace lockstep {

namespace {

/// Returns the given options that have no effect on a CPU: "--filter, --append".
std::string idle_on_cpu(const Fields& fields) {
    std::vector<std::string> idle;
    for (const Field& f : fields) {
        if (f.is_given && f.is_for_gpu) idle.push_back("--" + f.name);
    }
    return fmt::format("{}", fmt::join(idle, ", "));
}

}  // namespace

void RunningOptions::list(Fields& basic, Fields& more) {
    basic.word("device", device,
               {{"auto", Device::automatic},
                {"cpu", Device::cpu},
                {"cuda", Device::cuda},
                {"reference", Device::reference}},
               "device to run on; cpu, cuda (also: gpu), auto (cuda if there is a GPU), or reference "
               "(serial, in double precision)");
    basic.number("threads", threads, 0, cli::max_threads, "CPU threads; 0 = all");
    basic.text("record", record, "FILE",
               "append the run to this record file (JSON lines); - = standard output");
    more.text("order", order, "NAME",
              "strategies without a schedule, el-shuffled, hogwild: use the order of this schedule (given = "
              "that of the input, shuffle, degree, metis, …)");
    more.flag("trust", trust,
              "do not verify that concurrent tasks of the schedule share no vertex (successful verifications "
              "are stored, by the hashes of the file)");
    more.text("lock", lock, "FILE",
              "lock this file while sweeps run, so that several programs can prepare their runs concurrently "
              "without disturbing each other's times");
    cli::list_force(more, force);
}

void declare(const Spec& spec, cli::Options& basic, cli::Options& more) {
    const std::unique_ptr<Application> app = spec.make(spec);
    Fields of_basic, of_more;
    app->list(of_basic, of_more);
    cli::add_fields(basic, of_basic);
    cli::add_fields(more, of_more);
}

Fields read_running(const RunningOptions& options, const cli::Values& values, Application& app,
                    Request& request) {
    request.order = options.order;
    request.record = options.record;
    request.lock = options.lock;
    request.trust = options.trust;
    request.device = options.device;
    request.input_order = app.spec().wants_input_order;
    Fields fields;
    app.list(fields, fields);
    cli::take_fields(values, fields);
    request.output = app.results().output, request.top = app.results().top;
    app.settle(fields, request, options.threads);
    request.parameters = fields.record();
    for (std::string& input : cli::given_inputs(fields)) request.inputs.push_back(std::move(input));
    for (cli::Output& output : cli::given_outputs(fields)) request.outputs.push_back(std::move(output));
    request.idle_on_cpu = idle_on_cpu(fields);
    if (request.device == Device::cpu && !request.idle_on_cpu.empty())
        throw cli::UsageError(
            fmt::format("without effect on a CPU, so all runs would be equal: {}; leave out the options that "
                        "apply only to GPUs",
                        request.idle_on_cpu));
    return fields;
}

void check_files(const Application& app, const Request& request, bool force, bool json,
                 std::vector<cli::Output> outputs) {
    const auto add = [&](const cli::Output& output) {
        outputs.push_back(output);
        if (!output.kind.appended && output.path != "-")
            outputs.push_back({output.option, cli::partial_path(output.path), output.kind});
    };
    for (const cli::Output& output : request.outputs) add(output);
    if (request.output) {
        const cli::OutputKind hdf5{app.spec().outputs, app.spec().format};
        add({"--output", *request.output, request.output->ends_with(".h5") ? hdf5 : cli::text_output});
    }
    if (request.record) add({"--record", *request.record, cli::record_output});
    std::vector<std::string> inputs = request.inputs;
    inputs.push_back(request.file);
    cli::check_outputs(inputs, outputs, force);
    if (json && (request.output == "-" || request.record == "-"))
        throw cli::UsageError(fmt::format("--json and --{} - would both write to standard output",
                                          request.output == "-" ? "output" : "record"));
}

}  // namespace lockstep
