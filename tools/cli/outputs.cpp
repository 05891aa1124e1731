#include "outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/file_mark.hpp"

namespace lockstep::cli {
namespace fs = std::filesystem;

namespace {

/// Returns the canonical path of the file that `path` leads to, also if the file does not exist yet.
fs::path target(const std::string& path) {
    std::error_code error;
    const fs::path linked = fs::absolute(link_target(path), error),
                   found = fs::weakly_canonical(linked, error);
    return error ? linked : found;
}

bool same_file(const std::string& a, const std::string& b) {
    if (a == "-" || b == "-") return false;
    std::error_code error;
    return fs::equivalent(a, b, error) || target(a) == target(b);
}

bool written_by_lockstep(const std::string& path, const OutputKind& kind) {
    if (*kind.hdf5) return is_lockstep_file(path, kind.hdf5);
    if (kind.mark.empty()) return false;
    std::string start(4096, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    if (!file.is_open() || file.bad())
        throw OutputError(path, std::string("exists already and cannot be read: ") + std::strerror(errno));
    start.resize(static_cast<std::size_t>(file.gcount()));
    const std::size_t at = start.find(kind.mark);
    return kind.appended ? at == 0 : at != start.npos;
}

void check_writable(const fs::path& path, const std::string& shown) {
    if (access(path.c_str(), W_OK) != 0)
        throw OutputError(shown, "cannot be written: " + std::string(std::strerror(errno)));
}

void check_place(const Output& output) {
    const fs::path path = target(output.path),
                   folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) throw OutputError(output.path, "is a folder; name a file to be written");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        if (*output.kind.hdf5)
            throw OutputError(output.path, "is not a regular file; name a file to be written");
        return check_writable(path, output.path);
    }
    if (!fs::is_directory(folder, error))
        throw OutputError(output.path,
                          fmt::format("cannot be created: there is no folder {}", folder.string()));
    check_writable(output.kind.appended && fs::exists(status) ? path : folder, output.path);
}

void check_content(const Output& output, bool force) {
    std::error_code error;
    if ((force && !output.kind.appended) || output.resumed || !fs::is_regular_file(output.path, error) ||
        fs::file_size(output.path, error) == 0 || written_by_lockstep(output.path, output.kind))
        return;
    throw UsageError(
        output.kind.appended
            ? fmt::format("{} {}: the file is not {}, so nothing is appended to it; name another file",
                          output.option, output.path, output.kind.name)
            : fmt::format("{} {}: the file exists already and is not {}; name another file, or replace it "
                          "with --force",
                          output.option, output.path, output.kind.name));
}

/// Returns the outputs that did not exist when the run began. A file that appears at such a path meanwhile
/// belongs to somebody else, or to another run.
std::map<fs::path, Output>& absent_outputs() {
    static std::map<fs::path, Output> absent;
    return absent;
}

void check_appeared(const fs::path& path) {
    const auto found = absent_outputs().find(target(path));
    if (found == absent_outputs().end()) return;
    try {
        check_content(found->second, false);
    } catch (const UsageError&) {
        throw OutputError(
            path.string(),
            fmt::format("was created while the program ran and is not {}: the file is unchanged, and nothing "
                        "was written; name another file, or replace it with --force",
                        found->second.kind.name));
    }
    absent_outputs().erase(found);  // the file belongs to this run from now on
}

/// Makes the commits of this run check whether another file appeared at the path of the output.
void watch(const Output& output, bool force) {
    AtomicFile::before_replacing = check_appeared;
    std::error_code error;
    const fs::path path = target(output.path);
    if (!force && !output.kind.appended && !fs::exists(path, error)) absent_outputs().emplace(path, output);
}

}  // namespace

void list_force(Fields& fields, bool& force) {
    fields.flag("force", force, "replace existing output files, even if Lockstep did not write them");
}

std::vector<std::string> given_inputs(const Fields& given) {
    std::vector<std::string> inputs;
    for (const Field& f : given) {
        if (!f.is_given || !f.is_input) continue;
        if (const auto* several = std::get_if<Field::Texts>(&f.kind))
            inputs.insert(inputs.end(), several->value->begin(), several->value->end());
        else
            inputs.push_back(f.text());
    }
    return inputs;
}

std::vector<Output> given_outputs(const Fields& given) {
    std::vector<Output> outputs;
    for (const Field& f : given) {
        if (f.is_given && f.output) outputs.push_back({"--" + f.name, f.text(), *f.output});
    }
    return outputs;
}

void check_outputs(const std::vector<std::string>& inputs, const std::vector<Output>& outputs, bool force) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = outputs[i];
        if (output.path.empty())
            throw UsageError(fmt::format("{} has an empty name; name the file to be written", output.option));
        for (std::size_t j = 0; j < i; ++j) {
            if (output.path == outputs[j].path || same_file(output.path, outputs[j].path))
                throw UsageError(fmt::format("{} and {} would both write to {}", outputs[j].option,
                                             output.option,
                                             output.path == "-" ? "standard output" : output.path));
        }
        if (output.path == "-") {
            if (*output.kind.hdf5)
                throw UsageError(fmt::format(
                    "{} -: {} is an HDF5 file, which cannot be written to standard output; name a file",
                    output.option, output.kind.name));
            continue;
        }
        for (const std::string& input : inputs) {
            if (same_file(output.path, input))
                throw UsageError(fmt::format("{} {} would overwrite the input {}; name another file",
                                             output.option, output.path, input));
        }
        check_place(output);
        check_content(output, force);
        watch(output, force);
    }
}

}  // namespace lockstep::cli
