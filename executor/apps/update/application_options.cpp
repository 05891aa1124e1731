#include "apps/update/application_options.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "apps/frame/application.hpp"

namespace lockstep::update {

namespace {

/// Parses a parameter of the update, such as "compliance=1e-6".
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
        throw UsageError(
            fmt::format("--set {} is not a setting; expected NAME=NUMBER, where NAME is a field of the "
                        "update's Parameters",
                        text));
    return {name, value};
}

}  // namespace

void UpdateRunOptions::list(lockstep::Fields& basic, lockstep::Fields& more,
                            std::optional<std::string>& output) {
    constexpr const char* array = "FILE.npy";
    basic.text("update", update, "FILE.hpp",
               "the update: a struct with Vertex (or Row and Col), Edge, Parameters and a static function "
               "update; FILE.hpp:NAME if the file contains several");
    basic.text("vertices", vertices, array,
               "states: one row per vertex in the order of the IDs, or row I for the vertex with ID I; "
               "default: zeros");
    basic.text("rows", rows, array, "states of the rows, for an update of two sides").reads();
    basic.text("cols", cols, array, "states of the columns, for an update of two sides").reads();
    basic.text(
        "edges", edges, array,
        "payloads: one row per edge in the order of the input; default: the weight if Edge is one number of "
        "four bytes, else zeros");
    basic.texts("set", set, "NAME=NUMBER,…",
                "values of fields of Parameters, comma-separated; may be given several times");
    list_sweeps(basic, sweeps_given);
    basic
        .text("output", output, array,
              "write the states of the vertices, or of the rows; in the layout of --vertices or --rows")
        .with_letter('o');
    basic.text("output-cols", output_cols, array, "write the states of the columns").writes(text_output);
    basic.text("output-edges", output_edges, array, "write the payloads of the edges").writes(text_output);
    list_tune_seconds(more, tune_seconds);
}

void UpdateRunOptions::settle(Device on, int max_threads) {
    if (!update) throw UsageError("--app update needs --update FILE.hpp, a struct with a function update");
    if (on == Device::reference)
        throw UsageError(
            "--device reference is an option of sgd; an update is compared with a serial loop by --verify");
    device = on;
    source = find_update(*update);
    const auto states = [](const std::optional<std::string>& path) {
        return path ? std::optional(StateSource{*path}) : std::nullopt;
    };
    files = {states(vertices), states(rows), states(cols), states(edges)};
    for (const std::string& text : set) {
        std::istringstream parts(text);
        for (std::string part; std::getline(parts, part, ',');) settings.push_back(setting(part));
    }
    sweeps = sweeps_given.value_or(10);
    threads = max_threads ? max_threads : omp_get_max_threads();
}

void refuse_other_states(const UpdateRunOptions& wanted, bool one_set) {
    const auto refuse = [&](const std::optional<StateSource>& file, const char* option, bool wrong) {
        if (file && wrong)
            throw UsageError(fmt::format("--{} requires an update of {}, but {} is an update of {}", option,
                                         one_set ? "two sides" : "one set of vertices", wanted.source.name,
                                         one_set ? "one: --vertices" : "two: --rows and --cols"));
    };
    refuse(wanted.files.vertices, "vertices", !one_set);
    refuse(wanted.files.rows, "rows", one_set), refuse(wanted.files.cols, "cols", one_set);
    if (wanted.output_cols && one_set)
        throw UsageError(
            fmt::format("--output-cols requires an update of two sides, but {} is an update of one set of "
                        "vertices: --output writes all states",
                        wanted.source.name));
}

}  // namespace lockstep::update
