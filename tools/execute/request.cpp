// The options of every program that runs an application, and how they are stored in the request.
#include <fmt/format.h>

#include "command.hpp"
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

/// Returns the given options that have no effect on a CPU: "--filter, --append".
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
        ("device", cli::word({"auto", "cpu", "cuda", "reference"})->default_value("auto"), "device to run on; cpu, cuda (also: gpu), auto (cuda if there is a GPU), or reference (serial, in double precision)")
        ("threads", cli::number<int>(0, cli::max_threads)->default_value(0), "CPU threads; 0 = all")
        ("record", po::value<std::string>()->value_name("FILE"), "append the run to this record file (JSON lines); - = standard output");
    // clang-format on
}

void declare_order(cli::Options& tuning) {
    // clang-format off
    tuning.add_options()
        ("order", po::value<std::string>()->value_name("NAME"), "strategies without a schedule, el-shuffled, hogwild: use the order of this schedule (given = that of the input, shuffle, degree, metis, …)")
        ("trust", "do not verify that concurrent tasks of the schedule share no vertex (successful verifications are stored, by the hashes of the file)")
        ("lock", po::value<std::string>()->value_name("FILE"), "lock this file while sweeps run, so that several programs can prepare their runs concurrently without disturbing each other's times");
    // clang-format on
}

void declare(const Spec& spec, cli::Options& basic, cli::Options& more) {
    const std::unique_ptr<Application> app = spec.make(spec);
    Fields of_basic, of_more;
    app->list(of_basic, of_more);
    cli::add_fields(basic, of_basic);
    cli::add_fields(more, of_more);
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
    request.output = app.results().output, request.top = app.results().top;
    app.settle(fields, request, values["threads"].as<int>());
    request.parameters = fields.record();
    for (const Field& f : fields) {
        if (!f.is_given) continue;
        if (f.is_input) request.inputs.push_back(f.text());
        if (f.output) request.outputs.push_back({"--" + f.name, f.text(), *f.output});
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
