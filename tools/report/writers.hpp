// The formats of the report. Each writer is a pure function of the table; no writer computes results of its
// own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "table.hpp"

namespace lockstep::report {

/// The origin of the report, which every format shows.
struct Origin {
    std::string program;  ///< name, version, revision
    std::vector<std::string> command;
};

std::string to_text(const Table& table, const Origin& origin);
/// Writes CSV (RFC 4180): a header, one line per row of the table, then one line per schedule without a run.
std::string to_csv(const Table& table);
nlohmann::ordered_json to_json(const Table& table, const Origin& origin);
/// Writes one page, which contains the library that draws its pictures and loads nothing from the network.
std::string to_html(const Table& table, const Origin& origin);

}  // namespace lockstep::report
