// Run records: the key list of each line stands once, in the three `fields` functions, and serves the
// writer and the reader alike. docs/run-record.md lists the keys.
#include "lockstep/formats/run_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/input_file.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// A measurement that can come out as NaN or infinity, which JSON has not: written as null.
template <class Number>
struct Measured {
    Number& value;
};
template <class Number>
Measured(Number&) -> Measured<Number>;

template <class Visitor, class Header>
void header_fields(Visitor& v, Header& run) {
    v.field("program", run.program);
    v.field("command", run.command);
    v.field("started", run.started);
    v.field("app", run.app);
    v.field("strategy", run.strategy);
    v.field("deterministic", run.deterministic);
    v.object("device", [&](auto& device) {
        device.field("kind", run.device.kind);
        device.field("name", run.device.name);
        device.field("threads", run.device.threads);
        device.field("driver", run.device.driver);
    });
    v.field("rank", run.rank);
    v.field("seed", run.seed);
    v.field("sweeps", run.sweeps);
    v.field("schedule_file", run.schedule_file);
    v.field("schedule_hash", run.schedule_hash);
    v.object("graph", [&](auto& graph) {
        graph.field("rows", run.rows);
        graph.field("cols", run.cols);
        graph.field("edges", run.edges);
        graph.field("train_edges", run.train_edges);
        graph.field("test_edges", run.test_edges);
        graph.field("max_row_degree", run.max_row_degree);
        graph.field("max_col_degree", run.max_col_degree);
        graph.field("hash", run.graph_hash);
        graph.field("input", run.input);
    });
    v.field("parameters", run.parameters);
}

template <class Visitor, class Sweep>
void sweep_fields(Visitor& v, Sweep& sweep) {
    v.field("sweep", sweep.sweep);
    v.field("seconds", sweep.seconds);
    v.metrics(sweep.metrics);
    v.field("updates", sweep.updates);
    v.field("passes", sweep.passes);
}

template <class Visitor, class End>
void end_fields(Visitor& v, End& end) {
    v.field("status", end.status);
    v.field("result_hash", end.result_hash);
    v.object("seconds", [&](auto& seconds) {
        seconds.field("read", end.seconds.read);
        seconds.field("schedule", end.seconds.schedule);
        seconds.field("write", end.seconds.write);
        seconds.field("load", end.seconds.load);
        seconds.field("transfer", end.seconds.transfer);
        seconds.field("execute", end.seconds.execute);
        seconds.field("evaluate", end.seconds.evaluate);
    });
    v.field("updates_per_second", Measured{end.updates_per_second});
}

class Writer {
public:
    explicit Writer(Json& json) : json_(json) {}

    template <class T>
    void field(const char* key, const T& value) {
        json_[key] = value;
    }
    // The library dumps a number that is not finite as null.
    template <class T>
    void field(const char* key, Measured<T> measured) {
        json_[key] = measured.value;
    }
    template <class T>
    void field(const char* key, const std::optional<T>& value) {
        if (value) json_[key] = *value;
    }
    /// The RMSE first, which every reader asks for: null in records of other applications.
    void metrics(const Metrics& metrics) {
        json_["rmse_train"] = nullptr;
        for (const Metric& m : metrics) json_[m.name] = m.value;
    }
    template <class Fields>
    void object(const char* key, Fields fields) {
        Writer inner(json_[key]);
        fields(inner);
    }

private:
    Json& json_;
};

/// Takes the keys of one object; each must be there, of its type, and no other key may be.
class Reader {
public:
    Reader(const Json& json, const std::string& path, std::uint64_t line, std::string prefix = {})
        : json_(json), path_(path), line_(line), prefix_(std::move(prefix)) {
        if (!json.is_object()) refuse(prefix_.empty() ? "the line" : '"' + prefix_ + '"', "an object");
    }

    template <class T>
    void field(const char* key, T& value) {
        const Json& found = at(key);
        if constexpr (std::is_same_v<T, bool>) {
            if (!found.is_boolean()) refuse(quoted(key), "true or false");
        } else if constexpr (std::is_integral_v<T>) {
            if (!found.is_number_unsigned()) refuse(quoted(key), "a whole number from 0");
            if (!std::in_range<T>(found.get<std::uint64_t>())) {
                refuse(quoted(key), fmt::format("a number up to {}", std::numeric_limits<T>::max()));
            }
        } else if constexpr (std::is_floating_point_v<T>) {
            if (!found.is_number() || found.get<T>() < 0) refuse(quoted(key), "a number from 0");
        } else {
            check_text(key, found, value);
        }
        value = found.get<T>();
    }
    void field(const char* key, Measured<double> measured) {
        if (at(key).is_null())
            measured.value = std::numeric_limits<double>::quiet_NaN();
        else
            field(key, measured.value);
    }
    void field(const char* key, std::optional<std::string>& value) {
        if (json_.contains(key)) field(key, value.emplace());
    }
    /// Whatever a sweep has beside the keys of every sweep.
    void metrics(Metrics& metrics) {
        at("rmse_train");
        for (const auto& item : json_.items()) {
            const std::string& key = item.key();
            if (!seen_.count(key) || key == "rmse_train") {
                if (key != "updates" && key != "passes")
                    field(key.c_str(), Measured{metrics.emplace_back(key).value});
            }
        }
    }
    template <class Fields>
    void object(const char* key, Fields fields) {
        Reader inner(at(key), path_, line_, prefix_ + key);
        inner.prefix_ += '.';
        fields(inner);
        inner.finish();
    }

    void finish() const {
        for (const auto& item : json_.items()) {
            if (!seen_.count(item.key())) {
                throw FormatError(path_, line_,
                                  fmt::format("unknown key \"{}{}\" (was the record written by a newer "
                                              "version of Lockstep?)",
                                              prefix_, item.key()));
            }
        }
    }

    [[noreturn]] void refuse(const std::string& what, const std::string& expected) const {
        throw FormatError(path_, line_, what + " is not what a run record holds there: expected " + expected);
    }

private:
    const Json& at(const char* key) {
        seen_.insert(key);
        const auto found = json_.find(key);
        if (found == json_.end()) throw FormatError(path_, line_, "the key " + quoted(key) + " is missing");
        return *found;
    }

    std::string quoted(const char* key) const { return '"' + prefix_ + key + '"'; }

    void check_text(const char* key, const Json& found, const std::string&) const {
        if (!found.is_string()) refuse(quoted(key), "a string");
    }
    void check_text(const char* key, const Json& found, const std::vector<std::string>&) const {
        if (!found.is_array() || !all_strings(found)) refuse(quoted(key), "an array of strings");
    }
    void check_text(const char* key, const Json& found, const std::map<std::string, std::string>&) const {
        if (!found.is_object() || !all_strings(found)) refuse(quoted(key), "an object of strings");
    }
    static bool all_strings(const Json& values) {
        return std::all_of(values.begin(), values.end(), [](const Json& value) { return value.is_string(); });
    }

    const Json& json_;
    const std::string& path_;
    std::uint64_t line_;
    std::string prefix_;
    std::set<std::string> seen_;
};

/// Parses the lines of one file into runs.
class RecordParser {
public:
    explicit RecordParser(std::string path) : path_(std::move(path)) {}

    void line(const std::string& text) {
        ++line_;
        Json json;
        try {
            json = Json::parse(text);
        } catch (const Json::exception& e) {
            // The library prefixes its messages with "[json.exception.…] "; a person needs the rest.
            const std::string message = e.what();
            throw FormatError(path_, line_, "not a line of JSON: " + message.substr(message.find("] ") + 2));
        }
        Reader reader(json, path_, line_);
        std::string kind;
        reader.field("record", kind);
        if (kind == "run") {
            runs_.emplace_back().path = path_;
            header_fields(reader, runs_.back().run);
        } else if (kind == "sweep") {
            SweepRecord sweep;
            sweep_fields(reader, sweep);
            auto& sweeps = open_run(kind).sweeps;
            if (sweep.sweep <= (sweeps.empty() ? 0 : sweeps.back().sweep)) {
                reader.refuse("\"sweep\"", "sweeps numbered from 1, upwards");
            }
            sweeps.push_back(sweep);
        } else if (kind == "end") {
            end_fields(reader, open_run(kind).end.emplace());
        } else {
            reader.refuse("\"record\": \"" + kind + '"', R"("run", "sweep" or "end")");
        }
        reader.finish();
    }

    std::vector<RunRecord> runs() {
        if (runs_.empty()) throw FormatError(path_, "holds no run: expected a line {\"record\":\"run\", …}");
        return std::move(runs_);
    }

private:
    RunRecord& open_run(const std::string& kind) {
        if (runs_.empty() || runs_.back().end) {
            throw FormatError(path_, line_,
                              "a \"" + kind + "\" line outside a run: expected a \"run\" line first");
        }
        return runs_.back();
    }

    std::string path_;
    std::uint64_t line_ = 0;
    std::vector<RunRecord> runs_;
};

template <class Fields>
std::string dump(const char* kind, Fields fields) {
    Json json;
    json["record"] = kind;
    Writer writer(json);
    fields(writer);
    // Paths in the command line need not be UTF-8.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

RunRecorder::RunRecorder(const std::filesystem::path& path) : path_(path.string()) {
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
                          "its last line is cut short, so nothing can be appended: remove that line, "
                          "or name another record file");
    }
}

RunRecorder::~RunRecorder() { close(file_); }

void RunRecorder::write(const RunHeader& header) {
    line(dump("run", [&](Writer& w) { header_fields(w, header); }));
}
void RunRecorder::write(const SweepRecord& sweep) {
    line(dump("sweep", [&](Writer& w) { sweep_fields(w, sweep); }));
}
void RunRecorder::write(const RunEnd& end) {
    line(dump("end", [&](Writer& w) { end_fields(w, end); }));
}

void RunRecorder::line(const std::string& text) {
    const std::string bytes = text + '\n';
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::write(file_, bytes.data() + done, bytes.size() - done);
        if (count >= 0) {
            done += static_cast<std::size_t>(count);
        } else if (errno != EINTR) {
            const int error = errno;
            // Takes back the part of the line that did arrive: the record stays readable.
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
