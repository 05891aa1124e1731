// The forms of the report. Each is a pure function of the table; none computes a result of its own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "table.hpp"

namespace lockstep::report {

/// What made the report: shown in each form.
struct Origin {
    std::string program;  ///< name, version, revision
    std::vector<std::string> command;
};

std::string to_text(const Table& table, const Origin& origin);
/// RFC 4180: one header, one line a row of the table, then one a schedule without a run.
std::string to_csv(const Table& table);
nlohmann::ordered_json to_json(const Table& table, const Origin& origin);
/// One page without scripts or anything from the network.
std::string to_html(const Table& table, const Origin& origin);

}  // namespace lockstep::report
