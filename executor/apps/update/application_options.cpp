#include "apps/update/application_options.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "apps/frame/application.hpp"

namespace lockstep::update {

namespace {

namespace po = boost::program_options;

/// Parses "compliance=1e-6".
Setting setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals),
                      value = equals == text.npos ? "" : text.substr(equals + 1);
    char* end = nullptr;
    static_cast<void>(std::strtod(value.c_str(), &end));
    const bool named =
        !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_') &&
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!named || value.empty() || *end != '\0')
        throw cli::UsageError(
            fmt::format("--set {} is no setting; expected NAME=NUMBER, NAME a field of the "
                        "update's Parameters",
                        text));
    return {name, value};
}

}  // namespace

void declare_wanted(cli::Options& basic, cli::Options& tuning) {
    const auto file = [] { return po::value<std::string>()->value_name("FILE.npy"); };
    // clang-format off
    basic.add_options()
        ("update", po::value<std::string>()->value_name("FILE.hpp"), "the update: a struct with Vertex (or Row and Col), Edge, Parameters and a static function update; FILE.hpp:NAME where it has several")
        ("vertices", file(), "states: one row per vertex in the order of the IDs, or row I for the vertex with ID I; default: zeros")
        ("rows", file(), "states of the rows, for an update of two sides")
        ("cols", file(), "states of the columns, likewise")
        ("edges", file(), "payloads: one row per edge in the order of the input; default: the weight if Edge is one number of four bytes, else zeros")
        ("set", po::value<std::vector<std::string>>()->value_name("NAME=NUMBER,…")->composing(), "fields of Parameters, comma-separated; may be given several times");
    declare_sweeps(basic);
    basic.add_options()
        ("output,o", po::value<std::string>()->value_name("FILE.npy"), "write the states of the vertices, or of the rows, as they were read")
        ("output-cols", file(), "write those of the columns")
        ("output-edges", file(), "write the payloads of the edges");
    declare_verify(basic);
    tuning.add_options()
        ("tune-seconds", cli::number<double>(0, 1e6)->default_value(10), "--strategy tune: stop trying after so many seconds");
    // clang-format on
}

Wanted read_wanted(const cli::Values& values, Device device, int threads) {
    Wanted wanted;
    const auto optional = [&](const char* name) {
        return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
    };
    if (!values.count("update"))
        throw cli::UsageError("--app update needs --update FILE.hpp, a struct with a function update");
    if (device == Device::reference)
        throw cli::UsageError(
            "an update is compared with a serial loop by --verify: --device reference is of sgd");
    wanted.device = device;
    wanted.source = find_update(values["update"].as<std::string>());
    const auto states = [&](const char* name) {
        const auto path = optional(name);
        return path ? std::optional(StateSource{*path}) : std::nullopt;
    };
    wanted.files = {states("vertices"), states("rows"), states("cols"), states("edges")};
    wanted.output_cols = optional("output-cols"), wanted.output_edges = optional("output-edges");
    if (values.count("set")) {
        for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
            std::istringstream parts(text);
            for (std::string part; std::getline(parts, part, ',');) wanted.settings.push_back(setting(part));
        }
    }
    wanted.sweeps = values.count("sweeps") ? values["sweeps"].as<std::uint64_t>() : 10;
    wanted.threads = threads ? threads : omp_get_max_threads();
    wanted.tune_seconds = values["tune-seconds"].as<double>();
    return wanted;
}

void refuse_other_states(const Wanted& wanted, bool one_set) {
    const auto refuse = [&](const std::optional<StateSource>& file, const char* option, bool wrong) {
        if (file && wrong)
            throw cli::UsageError(fmt::format("--{} is for an update of {}, and {} is of {}", option,
                                              one_set ? "two sides" : "one set of vertices",
                                              wanted.source.name,
                                              one_set ? "one: --vertices" : "two: --rows and --cols"));
    };
    refuse(wanted.files.vertices, "vertices", !one_set);
    refuse(wanted.files.rows, "rows", one_set), refuse(wanted.files.cols, "cols", one_set);
    if (wanted.output_cols && one_set)
        throw cli::UsageError(
            fmt::format("--output-cols is for an update of two sides, and {} is of one set of "
                        "vertices: --output has all states",
                        wanted.source.name));
}

}  // namespace lockstep::update
