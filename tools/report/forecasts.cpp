// Predictions of lockstep-recommend, compared with measurements.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lockstep/formats/error.hpp"
#include "table.hpp"

namespace lockstep::report {

Forecast forecast_from_json(const std::string& text, const std::string& path) {
    try {
        const auto root = nlohmann::json::parse(text);
        Forecast forecast;
        forecast.data = root.at("graph").at("name").get<std::string>();
        forecast.device = root.at("device").get<std::string>();
        forecast.rank = root.at("rank").get<std::uint32_t>();
        for (const auto& one : root.at("strategies")) {
            const auto& seconds = one.at("seconds").at("sweep");
            if (!seconds.is_null())  // the strategy can run
                forecast.per_sweep[one.at("strategy").get<std::string>()] = seconds.get<double>();
        }
        return forecast;
    } catch (const nlohmann::json::exception& e) {
        throw FormatError(path, fmt::format("is not output of lockstep-recommend --json: {}", e.what()));
    }
}

void add_forecasts(Table& table, const std::vector<Forecast>& forecasts) {
    for (const Forecast& forecast : forecasts) {
        for (Group& group : table.groups) {
            if (std::filesystem::path(group.run.schedule_file).stem() != forecast.data ||
                group.run.device.name != forecast.device || group.run.rank != forecast.rank)
                continue;
            for (Row& row : group.rows) {
                if (const auto found = forecast.per_sweep.find(row.strategy);
                    found != forecast.per_sweep.end() && found->second > 0)
                    row.predicted = found->second;
            }
        }
    }
}

Accuracy accuracy(const Table& table) {
    Accuracy found;
    for (const Group& group : table.groups) {
        for (const Row& row : group.rows) {
            if (!row.finished() || std::isnan(row.predicted) || !(row.per_sweep > 0)) continue;
            ++found.predicted;
            found.near += row.predicted <= 2 * row.per_sweep && row.predicted >= row.per_sweep / 2;
        }
    }
    return found;
}

}  // namespace lockstep::report
