#include "queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/id_match.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::predict {
namespace {

std::string unknown(const char* side, std::string_view id, const IdMap& ids) {
    return fmt::format("unknown {} {}: the model has {}", side, readers::shown(id), ids.describe());
}

/// Returns true if `name` is a file; a pipe counts as a file.
bool is_file(const std::string& name) {
    const auto status = std::filesystem::status(name);
    return exists(status) && !is_directory(status);
}

}  // namespace

VertexId known(const IdMap& ids, std::string_view id, const char* side) {
    const auto vertex = ids.find(id);
    if (!vertex) throw Error(Failure::bad_input, unknown(side, id, ids));
    return *vertex;
}

void for_each_pair(const std::string& path, ReadOptions reading, const Model& model, bool strict,
                   const std::function<void(const PairQuery&)>& use) {
    reading.shape = GraphShape::bipartite;
    reading.weights = false;
    reading.ids_are_matched = true;
    const Dataset pairs = read_dataset(path, reading);
    const Graph& graph = pairs.graph;
    const auto users = match_ids(pairs.row_ids, model.row_ids),
               items = match_ids(pairs.col_ids, model.col_ids);
    const Array<VertexId> row_of = edge_rows(graph);
    for (EdgeId i = 0; i < graph.edges(); ++i) {
        if (i % 65536 == 0) cli::check_signal();
        const EdgeId edge = graph.input_order.empty() ? i : graph.input_order[i];
        const VertexId row = row_of[edge], col = graph.col[edge];
        const std::string user = pairs.row_ids.name(row), item = pairs.col_ids.name(col);
        const auto refuse = [&](const std::string& message) {
            throw FormatError(
                path == "-" ? "standard input" : path,
                fmt::format("pair {} ({}, {}): {} (--unknown nan continues)", i + 1, user, item, message));
        };
        if (strict && !users[row]) refuse(unknown("row", user, model.row_ids));
        if (strict && !items[col]) refuse(unknown("column", item, model.col_ids));
        use({user, item, users[row], items[col]});
    }
}

/// Calls `use` for each ID in a comma-separated list, such as "17,23", that is not itself an ID.
void for_each_listed(std::string_view list, const std::function<void(std::string_view)>& use) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string_view id = readers::trim(list.substr(begin, end - begin));
        // A trailing comma, as in `--users 17, 23`, adds no empty ID.
        if (!id.empty() || end < list.size() || begin == 0) use(id);
        begin = end + 1;
    }
}

std::vector<VertexId> find_users(const Model& model, const std::vector<std::string>& named,
                                 std::vector<std::string>* unknown_users) {
    std::vector<VertexId> users;
    const auto add = [&](std::string_view id, const auto& refuse) {
        if (const auto user = model.row_ids.find(id)) {
            users.push_back(*user);
        } else if (unknown_users) {
            unknown_users->emplace_back(id);
        } else {
            refuse(unknown("row", id, model.row_ids));
        }
    };
    for (const std::string& name : named) {
        // The model's own IDs take precedence, so that a stray file cannot change the meaning of an ID.
        if (!model.row_ids.find(name) && (name == "-" || is_file(name))) {
            InputFile file(name, cli::check_signal);
            readers::for_each_line(file, [&](std::uint64_t number, std::string_view line) {
                if (number % 65536 == 0) cli::check_signal();
                add(line, [&](const std::string& why) { throw FormatError(file.name(), number, why); });
            });
        } else {
            const auto refuse = [](const std::string& why) { throw Error(Failure::bad_input, why); };
            if (model.row_ids.find(name)) {
                add(name, refuse);
            } else {
                for_each_listed(name, [&](std::string_view id) { add(id, refuse); });
            }
        }
    }
    if (users.empty() && unknown_users && !unknown_users->empty())
        throw Error(Failure::bad_input, "all users are unknown; the first is the " +
                                            unknown("row", unknown_users->front(), model.row_ids));
    return users;
}

}  // namespace lockstep::predict
