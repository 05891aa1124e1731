#include "apps/frame/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lockstep/formats/id_text.hpp"
#include "lockstep/formats/output_file.hpp"

namespace lockstep {

std::string text_of(ResultValue value) {
    if (const float* real = std::get_if<float>(&value)) return fmt::format("{:.9g}", *real);
    return std::visit([](auto v) { return fmt::format("{}", v); }, value);
}

nlohmann::ordered_json json_of(ResultValue value) {
    if (const float* real = std::get_if<float>(&value)) return number_or_null(*real);
    return std::visit([](auto v) { return nlohmann::ordered_json(v); }, value);
}

namespace {

std::string entry(const ResultColumn& column, VertexId vertex, const IdMap& ids) {
    return std::visit(
        [&]<class T>(const std::vector<T>& values) {
            if (!column.unreached.empty() && values[vertex] == without_value<T>) return column.unreached;
            return column.are_vertices ? id_field(ids.name(static_cast<VertexId>(values[vertex])))
                                       : text_of(ResultValue(values[vertex]));
        },
        column.values);
}

}  // namespace

Top top_of(const std::vector<ResultColumn>& columns, std::uint64_t count) {
    const auto highest = [&]<class T>(const std::vector<T>& values) {
        std::vector<VertexId> vertices(values.size());
        std::iota(vertices.begin(), vertices.end(), VertexId{0});
        if (!columns[0].unreached.empty())
            std::erase_if(vertices, [&](VertexId v) { return values[v] == without_value<T>; });
        const auto end =
            vertices.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, vertices.size()));
        std::partial_sort(vertices.begin(), end, vertices.end(), [&](VertexId a, VertexId b) {
            return values[a] > values[b] || (values[a] == values[b] && a < b);
        });
        Top top;
        for (auto v = vertices.begin(); v != end; ++v) top.emplace_back(*v, values[*v]);
        return top;
    };
    return std::visit(highest, columns.at(0).values);
}

std::optional<std::string> Application::output_place(const RunOutcome& outcome,
                                                     const FilePlace& place) const {
    const bool partial_on_screen = outcome.status == "interrupted" && results_.output == "-";
    return results_.output && !partial_on_screen ? std::optional(place(*results_.output)) : std::nullopt;
}

void Application::save(const Input& input, const RunHeader& header, const RunOutcome& outcome,
                       const FilePlace& place) const {
    if (const auto path = output_place(outcome, place))
        write_columns(*path, spec(), outcome.columns, input, header, outcome.sweeps.size());
}

void write_columns(const std::string& path, const Spec& spec, std::vector<ResultColumn> columns,
                   const Input& input, const RunHeader& header, std::uint64_t rounds) {
    const IdMap& ids = input.file.dataset.row_ids;
    if (path.ends_with(".h5")) {
        ResultFile file{spec.format, std::move(columns), ids, header.graph_hash, header.parameters};
        file.parameters["strategy"] = header.strategy;
        file.parameters[std::string(spec.round) + "s"] = std::to_string(rounds);
        return write_result(path, file);
    }
    OutputFile file(path);
    for (VertexId v = 0; v < ids.size(); ++v) {
        std::string line = id_field(ids.name(v));
        for (const ResultColumn& column : columns) line += ' ' + entry(column, v, ids);
        file.write(line + '\n');
    }
    file.commit();
}

}  // namespace lockstep
