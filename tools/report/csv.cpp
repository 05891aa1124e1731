// The report as CSV (RFC 4180): raw numbers, times in seconds, and empty fields for unknown numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "writers.hpp"

namespace lockstep::report {
namespace {

constexpr std::string_view header =
    "data,graph_hash,app,input_class,device_kind,device,threads,rank,strategy,kind,variant,runs"
    ",status,deterministic,sweeps,passes,read_s,schedule_s,write_s,load_s,transfer_s,execute_s"
    ",evaluate_s,execute_per_sweep_s,updates_per_second,rmse_train,rmse_test,baseline,normalised"
    ",pays_against_online,pays_online_sweeps,pays_against_racing,pays_racing_sweeps,schedule_hash"
    ",result_hash,rounds,predicted_per_sweep_s,prove_s,other_s,pays_online_kept_sweeps,fit_s,result_s";

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}
std::string field(double value) {
    if (std::isnan(value)) return {};
    return std::isinf(value) ? "never" : fmt::format("{}", value);
}
template <std::integral T>
std::string field(T value) {
    return std::to_string(value);
}

template <class... Values>
std::string line(const Values&... values) {
    static_assert(sizeof...(values) == std::count(header.begin(), header.end(), ',') + 1);
    std::string text;
    ((text += field(values) + ','), ...);
    text.pop_back();
    return text + "\r\n";
}

std::string row_line(const Group& group, const Row& row) {
    const RunHeader& run = group.run;
    const auto against = [](const std::optional<BreakEven>& pays) {
        return pays ? pays->against : std::string();
    };
    const auto sweeps = [](const std::optional<BreakEven>& pays) { return pays ? pays->sweeps : unknown; };
    const std::string none;
    return line(group.data, run.graph_hash, run.app, std::string(group.input_class()), run.device.kind,
                run.device.name, run.device.threads, run.rank, row.strategy, std::string(to_string(row.kind)),
                row.variant, row.runs.size(), row.status, std::string(row.deterministic ? "yes" : "no"),
                row.sweeps, row.passes, row.seconds.read, row.seconds.schedule, row.seconds.write,
                row.seconds.load, row.seconds.transfer, row.seconds.execute, row.seconds.evaluate,
                row.per_sweep, row.updates_per_second, row.rmse_train, row.rmse_test, group.baseline,
                row.normalised, against(row.pays_online), sweeps(row.pays_online), against(row.pays_racing),
                sweeps(row.pays_racing), row.runs.front()->run.schedule_hash,
                row.result_hashes.size() == 1 ? row.result_hashes.front() : none, none, row.predicted,
                row.seconds.verify, row.seconds.other, row.pays_online ? row.pays_online->kept : unknown,
                row.seconds.fit, row.seconds.result);
}

std::string idle_line(const IdleSchedule& idle) {
    const std::string none;
    return line(idle.data, idle.graph_hash, none, none, none, none, none, none, idle.schedule.name, none,
                none, 0, std::string("not run"), none, none, none, idle.file_seconds.read,
                idle.schedule.seconds, idle.file_seconds.write, none, none, none, none, none, none, none,
                none, none, none, none, none, none, none, idle.schedule.hash, none,
                idle.schedule.statistics.rounds, none, none, none, none, none, none);
}

}  // namespace

std::string to_csv(const Table& table) {
    std::string text = std::string(header) + "\r\n";
    for (const Group& group : table.groups) {
        for (const Row& row : group.rows) text += row_line(group, row);
    }
    for (const IdleSchedule& idle : table.idle) text += idle_line(idle);
    return text;
}

}  // namespace lockstep::report
