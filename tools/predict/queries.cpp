#include "queries.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli.hpp"
#include "readers/text.hpp"

namespace lockstep::predict {
namespace {

std::string unknown(const char* side, std::string_view id, const IdMap& ids) {
    return fmt::format("unknown {} {}: the model has {}", side, readers::shown(id), ids.describe());
}

/// A pipe is one, too.
bool is_file(const std::string& name) {
    const auto status = std::filesystem::status(name);
    return exists(status) && !is_directory(status);
}

/// Calls `use(lines, line)` for each line; refuses an empty file.
template <class Use>
void for_each_line(const std::string& path, Use&& use) {
    InputFile file(path, cli::check_signal);
    readers::Input input(file);
    readers::LineReader lines(input);
    for (std::string_view line; lines.next(line);) {
        use(lines, line);
        if (lines.number() % 65536 == 0) cli::check_signal();
    }
    input.finish();
    if (lines.number() == 0) throw FormatError(input.name(), "is empty");
}

}  // namespace

VertexId known(const IdMap& ids, std::string_view id, const char* side) {
    const auto vertex = ids.find(id);
    if (!vertex) throw Error(Failure::bad_input, unknown(side, id, ids));
    return *vertex;
}

void for_each_pair(const std::string& path, const Model& model, bool strict,
                   const std::function<void(const PairQuery&)>& use) {
    readers::Fields fields;
    for_each_line(path, [&](const readers::LineReader& lines, std::string_view line) {
        if (line.find('\t') != line.npos)
            readers::split_at(line, "\t", fields);
        else
            readers::split_blanks(line, fields);
        if (fields.count != 2 || fields.at[0].empty() || fields.at[1].empty()) {
            lines.fail(
                fmt::format("expected two ids apart by blanks or a tab, found {}", readers::shown(line)));
        }
        const auto [row, col] = std::pair(fields.at[0], fields.at[1]);
        const PairQuery pair{row, col, model.row_ids.find(row), model.col_ids.find(col)};
        if (strict && !pair.u) lines.fail(unknown("row", row, model.row_ids) + " (--unknown nan goes on)");
        if (strict && !pair.i) lines.fail(unknown("column", col, model.col_ids) + " (--unknown nan goes on)");
        use(pair);
    });
}

std::vector<VertexId> find_users(const Model& model, const std::vector<std::string>& named) {
    std::vector<VertexId> users;
    for (const std::string& name : named) {
        // The model's own ids come first, so that a stray file cannot change what an id means.
        if (!model.row_ids.find(name) && (name == "-" || is_file(name))) {
            for_each_line(name, [&](const readers::LineReader& lines, std::string_view line) {
                const auto user = model.row_ids.find(line);
                if (!user) lines.fail(unknown("row", line, model.row_ids));
                users.push_back(*user);
            });
        } else {
            users.push_back(known(model.row_ids, name, "row"));
        }
    }
    return users;
}

}  // namespace lockstep::predict
