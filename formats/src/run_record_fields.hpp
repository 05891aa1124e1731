// The keys of the lines of a run record. Each of the functions header_fields(), sweep_fields() and
// end_fields() lists the keys of one kind of line, and both the writer and the reader call it.
// docs/reference/files.md describes the keys.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep::run_record {

using Json = nlohmann::ordered_json;

/// A reference to a measurement that may be NaN or infinite. JSON has no such numbers, so they are written as
/// null.
template <class Number>
struct MeasuredNumber {
    Number& value;
};
template <class Number>
MeasuredNumber(Number&) -> MeasuredNumber<Number>;

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
        seconds.newer("prove", end.seconds.verify);
        seconds.newer("fit", end.seconds.fit);
        seconds.newer("result", end.seconds.result);
        seconds.newer("other", end.seconds.other);
    });
    v.field("updates_per_second", MeasuredNumber{end.updates_per_second});
    v.field("kept_sweep", end.kept_sweep);
}

/// A visitor for the `…_fields` functions that writes the keys and values to a JSON object.
class Writer {
public:
    explicit Writer(Json& json) : json_(json) {}

    template <class T>
    void field(const char* key, const T& value) {
        json_[key] = value;
    }
    template <class T>
    void newer(const char* key, const T& value) {
        field(key, value);
    }
    // If the measurement is not finite, the JSON library writes null.
    template <class T>
    void field(const char* key, MeasuredNumber<T> measured) {
        json_[key] = measured.value;
    }
    template <class T>
    void field(const char* key, const std::optional<T>& value) {
        if (value) json_[key] = *value;
    }
    /// Writes the metrics of a sweep. The key rmse_train comes first, since every reader requires it; it is
    /// null if the application does not measure it. If several metrics have the same name, their values are
    /// written as an array.
    void metrics(const Metrics& metrics) {
        json_["rmse_train"] = nullptr;
        std::set<std::string_view> written;
        for (const Metric& m : metrics) {
            Json& value = json_[m.name];
            if (written.insert(m.name).second)
                value = m.value;
            else if (value.is_array())
                value.push_back(m.value);
            else
                value = {value, m.value};
        }
    }
    template <class Fields>
    void object(const char* key, Fields fields) {
        Writer inner(json_[key]);
        fields(inner);
    }

private:
    Json& json_;
};

/// A visitor for the `…_fields` functions that reads the keys of a JSON object. Throws FormatError if a key
/// is missing, has a value of a wrong type, or is unknown.
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
    /// Reads a key that may be absent in old records.
    template <class T>
    void newer(const char* key, T& value) {
        if (json_.contains(key)) field(key, value);
    }
    void field(const char* key, MeasuredNumber<double> measured) {
        if (at(key).is_null())
            measured.value = std::numeric_limits<double>::quiet_NaN();
        else
            field(key, measured.value);
    }
    template <class T>
    void field(const char* key, std::optional<T>& value) {
        if (json_.contains(key)) field(key, value.emplace());
    }
    /// Reads all keys of a sweep that sweep_fields() does not name; each of them is a metric.
    void metrics(Metrics& metrics) {
        at("rmse_train");
        for (const auto& item : json_.items()) {
            const std::string& key = item.key();
            if (!seen_.count(key) || key == "rmse_train") {
                if (key == "updates" || key == "passes") continue;
                const Json& found = at(key.c_str());
                if (!found.is_array()) {
                    metrics.push_back({key});
                    field(key.c_str(), MeasuredNumber{metrics.back().value});
                    continue;
                }
                for (const Json& one : found) {
                    if (!one.is_null() && !(one.is_number() && one.get<double>() >= 0))
                        refuse(quoted(key.c_str()), "numbers from 0");
                    metrics.push_back(
                        {key, one.is_null() ? std::numeric_limits<double>::quiet_NaN() : one.get<double>()});
                }
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

    /// Throws FormatError if the object has a key that was not read.
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
        throw FormatError(path_, line_, what + " is not valid in a run record: expected " + expected);
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

}  // namespace lockstep::run_record
