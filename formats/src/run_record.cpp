#include "lockstep/formats/run_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <sstream>

#include "lockstep/formats/descriptor.hpp"
#include "lockstep/formats/input_file.hpp"
#include "run_record_fields.hpp"

namespace lockstep {
namespace {

using namespace run_record;

/// Parses the lines of a record file, one at a time, and groups them by run.
class RecordParser {
public:
    explicit RecordParser(std::string path) : path_(std::move(path)) {}

    void line(const std::string& text) {
        ++line_;
        Json json;
        try {
            json = Json::parse(text);
        } catch (const Json::exception& e) {
            // Exceptions of the JSON library begin with "[json.exception.…] ", which does not help a user.
            const std::string message = e.what();
            throw FormatError(path_, line_, "not a line of JSON: " + message.substr(message.find("] ") + 2));
        }
        run_record::Reader reader(json, path_, line_);
        std::string kind;
        std::optional<std::string> id;  // old records do not contain an ID
        reader.field("record", kind);
        reader.field("run", id);
        if (kind == "run") {
            if (id && find(*id)) reader.refuse("a second \"run\" line of the run " + *id, "one");
            runs_.emplace_back().path = path_;
            header_fields(reader, runs_.back().run);
            ids_.push_back(std::move(id));
        } else if (kind == "sweep") {
            SweepRecord sweep;
            sweep_fields(reader, sweep);
            auto& sweeps = open_run(kind, id).sweeps;
            if (sweep.sweep <= (sweeps.empty() ? 0 : sweeps.back().sweep)) {
                reader.refuse("\"sweep\"", "sweeps numbered from 1, in ascending order");
            }
            sweeps.push_back(sweep);
        } else if (kind == "end") {
            end_fields(reader, open_run(kind, id).end.emplace());
        } else {
            reader.refuse("\"record\": \"" + kind + '"', R"("run", "sweep" or "end")");
        }
        reader.finish();
    }

    std::vector<RunRecord> runs() {
        if (runs_.empty())
            throw FormatError(path_, "contains no run: expected a line {\"record\":\"run\", …}");
        return std::move(runs_);
    }

private:
    RunRecord* find(const std::string& id) {
        // The search starts at the last run, to which a line nearly always belongs.
        const auto found = std::find(ids_.rbegin(), ids_.rend(), id);
        return found == ids_.rend() ? nullptr : &runs_[static_cast<std::size_t>(ids_.rend() - found) - 1];
    }

    /// Returns the run to which a line belongs. It is the run with the ID of the line; in old records, which
    /// have no IDs, it is the last run.
    RunRecord& open_run(const std::string& kind, const std::optional<std::string>& id) {
        RunRecord* const run = id ? find(*id) : runs_.empty() || ids_.back() ? nullptr : &runs_.back();
        if (!run || run->end) {
            throw FormatError(path_, line_,
                              "a \"" + kind + "\" line outside a run: expected a \"run\" line " +
                                  (id ? "of the run " + *id + ' ' : "") + "first");
        }
        return *run;
    }

    std::string path_;
    std::uint64_t line_ = 0;
    std::vector<RunRecord> runs_;
    std::vector<std::optional<std::string>> ids_;  ///< ID of each run
};

template <class Fields>
std::string dump(const char* kind, Fields fields) {
    Json json;
    json["record"] = kind;
    Writer writer(json);
    fields(writer);
    // Paths in the command line may be invalid UTF-8, which is replaced.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

RunRecorder::RunRecorder(const std::filesystem::path& path)
    : path_(path.string()), id_(fmt::format("{:08x}{:08x}", std::random_device()(), std::random_device()())) {
    file_ = path == "-" ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                        : open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0)
        throw OutputError(path_, fmt::format("cannot be opened for writing: {}", std::strerror(errno)));
    struct stat info {};
    char last = '\n';
    if (fstat(file_, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
        pread(file_, &last, 1, info.st_size - 1) == 1 && last != '\n') {
        close(file_);
        throw OutputError(path_,
                          "its last line is incomplete, so nothing can be appended: remove that line, or "
                          "name another record file");
    }
}

RunRecorder::~RunRecorder() { close(file_); }

std::string record_line(const RunHeader& header) {
    return dump("run", [&](Writer& w) { header_fields(w, header); });
}
std::string record_line(const SweepRecord& sweep) {
    return dump("sweep", [&](Writer& w) { sweep_fields(w, sweep); });
}
std::string record_line(const RunEnd& end) {
    return dump("end", [&](Writer& w) { end_fields(w, end); });
}

void RunRecorder::write(const RunHeader& header) { line(record_line(header)); }
void RunRecorder::write(const SweepRecord& sweep) { line(record_line(sweep)); }
void RunRecorder::write(const RunEnd& end) { line(record_line(end)); }

void RunRecorder::line(std::string text) {
    // Inserts the ID of the run after the first key, which is the kind of the line.
    text.insert(text.find(',') + 1, "\"run\":\"" + id_ + "\",");
    text += '\n';
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = write_waiting(file_, std::string_view(text).substr(done));
        if (count >= 0) {
            done += static_cast<std::size_t>(count);
        } else if (errno != EINTR) {
            const int error = errno;
            // Removes the incomplete line, so that the record file stays readable.
            struct stat info {};
            if (done > 0 && fstat(file_, &info) == 0 && S_ISREG(info.st_mode)) {
                [[maybe_unused]] const int ignored =
                    ftruncate(file_, info.st_size - static_cast<off_t>(done));
            }
            throw OutputError(path_, fmt::format("cannot be written: {}", std::strerror(error)));
        }
    }
}

std::vector<RunRecord> parse_run_records(const std::string& text, const std::string& name) {
    std::istringstream lines(text);
    RecordParser parser(name);
    for (std::string line; std::getline(lines, line);) parser.line(line);
    return parser.runs();
}

std::vector<RunRecord> read_run_records(const std::filesystem::path& path) {
    InputFile file(path);
    return parse_run_records(file.read_rest(), file.name());
}

}  // namespace lockstep
