// The options that every program has which runs an application, and what becomes of them.
#include <fmt/format.h>

#include "apps/frame/application.hpp"
#include "field_options.hpp"

namespace lockstep {

namespace {

namespace po = boost::program_options;

Device device_of(const std::string& word) {
    return word == "cpu"         ? Device::cpu
           : word == "cuda"      ? Device::cuda
           : word == "reference" ? Device::reference
                                 : Device::automatic;
}

/// The options given that have no effect on a CPU: "--filter, --append".
std::string idle_on_cpu(const Fields& fields) {
    std::vector<std::string> idle;
    for (const Field& f : fields) {
        if (f.is_given && f.is_for_gpu) idle.push_back("--" + f.name);
    }
    return fmt::format("{}", fmt::join(idle, ", "));
}

}  // namespace

void declare_running(cli::Options& basic) {
    // clang-format off
    basic.add_options()
        ("device", cli::device({"auto", "cpu", "cuda", "reference"})->default_value("auto"), "where to run; cpu, cuda (or gpu), auto (cuda where there is a GPU), or reference (serial, double precision)")
        ("threads", cli::number<int>(0, cli::max_threads)->default_value(0), "CPU threads; 0 = all")
        ("record", po::value<std::string>()->value_name("FILE"), "append the run to this record file (JSON lines); - = standard output");
    // clang-format on
}

void declare_order(cli::Options& tuning) {
    // clang-format off
    tuning.add_options()
        ("order", po::value<std::string>()->value_name("NAME"), "strategies without a schedule of their own, el-shuffled, hogwild: take the order of this schedule (given, shuffle, degree, metis, …)")
        ("trust", "run the schedule without proving that its concurrent work shares no vertex (a proof is remembered by the file's hashes)")
        ("lock", po::value<std::string>()->value_name("FILE"), "hold the lock of this file while sweeps run, so that several programs can prepare side by side and none disturbs another's times");
    // clang-format on
}

void declare(const Spec& spec, cli::Options& basic, cli::Options& more) {
    const std::unique_ptr<Application> app = spec.make(spec);
    Fields of_basic, of_more;
    app->list(of_basic, of_more);
    cli::add_fields(basic, of_basic);
    cli::add_fields(more, of_more);
}

void Application::list_results(Fields& basic) {
    basic
        .text(
            "output", results_.output, "FILE",
            "write the result by original id; text, or HDF5 where the name ends in .h5; - = standard output")
        .with_letter('o');
    basic.number("top", results_.top, 0, max_vertices, "show the N vertices of the highest value");
    list_verify(basic);
}

void Application::list_verify(Fields& basic) {
    basic.flag("verify", results_.verify,
               "prove the result by other means than the kernels'; exit code 7 where it is wrong");
}

void list_seed(Fields& fields, std::uint64_t& seed) {
    fields.number("seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
                  "of all that is drawn; the split and the initial factors, the sources");
}
void list_sweeps(Fields& fields, std::optional<std::uint64_t>& sweeps) {
    fields.number(
        "sweeps", sweeps, 0, 1'000'000'000,
        "sweeps over all edges; default: 10; sgd biased 30, with --test-fraction 100, of which early "
        "stopping leaves what helps; als 8, with held-out edges 16; layout 15, or 90, in which its steps "
        "fall");
}
void list_iterations(Fields& fields, std::optional<std::uint64_t>& iterations) {
    fields.number(
        "iterations", iterations, 1, 1'000'000'000,
        "iterations, at most; without it 30 of pagerank (with --until 10000), 20 of bp; springs: sweeps "
        "of a substep, 1");
}
void list_until(Fields& fields, std::optional<double>& until) {
    fields.number(
        "until", until, 1e-7, 1,
        "pagerank: stop when ranks are stable: when no vertex has more than this share of what it "
        "gives to give otherwise; layout: go on after its sweeps until no vertex moves by more than "
        "this share of the shortest distance");
}
void list_chunk(Fields& fields, int& chunk) {
    fields
        .number("chunk", chunk, 0, 1 << 20,
                "push-warp, pull-warp, pull-nodiv-warp: vertices that a virtual warp takes at a time, 1 to "
                "10 times its size; over active vertices: those that a block draws from a queue at a time, "
                "0 = dealt out beforehand")
        .for_gpu();
}
void list_repeat(Fields& fields, std::uint64_t& repeats) {
    fields.number("repeat", repeats, 1, 1'000'000,
                  "run so often; the time is the median, and all results must be equal");
}
void list_tune_seconds(Fields& fields, double& seconds) {
    fields.number("tune-seconds", seconds, 0, 1e6, "--strategy tune: stop trying after so many seconds");
}

void read_running(const cli::Values& values, Application& app, Request& request) {
    const auto optional = [&](const char* name) {
        return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
    };
    request.order = optional("order");
    request.record = optional("record");
    request.lock = optional("lock");
    request.trust = values.count("trust") > 0;
    request.device = device_of(values["device"].as<std::string>());
    request.input_order = app.spec().wants_input_order;
    Fields fields;
    app.list(fields, fields);
    cli::take_fields(values, fields);
    request.output = app.results().output, request.top = app.results().top,
    request.verify = app.results().verify;
    app.settle(fields, request, values["threads"].as<int>());
    request.parameters = fields.record();
    for (const Field& f : fields) {
        const std::string path = f.is_input || f.output ? f.text() : "";
        if (path.empty()) continue;
        if (f.is_input) request.inputs.push_back(path);
        if (f.output) request.outputs.push_back({"--" + f.name, path, *f.output});
    }
    request.idle_on_cpu = idle_on_cpu(fields);
    if (request.device == Device::cpu && !request.idle_on_cpu.empty())
        throw cli::UsageError(
            fmt::format("without effect on a CPU, so that nothing would be compared: {}; "
                        "leave out what only a GPU heeds",
                        request.idle_on_cpu));
}

void check_files(const cli::Values& values, const Application& app, const Request& request,
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
    cli::check_outputs(values, inputs, outputs);
    if (values.count("json") && (request.output == "-" || request.record == "-"))
        throw cli::UsageError(fmt::format("--json and --{} - would both write to standard output",
                                          request.output == "-" ? "output" : "record"));
}

}  // namespace lockstep
