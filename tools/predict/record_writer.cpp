#include "record_writer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lockstep/formats/id_text.hpp"
#include "lockstep/schedules/error.hpp"

namespace lockstep::predict {
namespace {

std::string quoted(std::string_view id) {
    return nlohmann::json(id).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

RecordWriter::RecordWriter(const std::string& path, bool json, const RecordNames& names, const IdMap& first,
                           const IdMap& second)
    : file_(path), names_(names), json_(json), separator_(field_separator(first, second)) {
    if (json_) file_.write(fmt::format("{{\"{}\": [", names_.list));
}

void RecordWriter::add(std::string_view first, std::string_view second, float number, std::size_t rank) {
    if (std::isinf(number)) {
        throw Error(
            Failure::bad_input,
            fmt::format(
                "the {} of ({}, {}) is too large for a float; the training of the model did not converge",
                names_.number, first, second));
    }
    char digits[32];
    const char* const end =
        std::to_chars(digits, digits + sizeof digits, number).ptr;  // the shortest text that parses back
    const std::string_view value(digits, static_cast<std::size_t>(end - digits));
    line_.clear();
    const auto out = std::back_inserter(line_);
    if (json_) {
        fmt::format_to(out, "{}\n  {{\"{}\": {}, \"{}\": {}, \"{}\": {}", empty_ ? "" : ",", names_.first,
                       quoted(first), names_.second, quoted(second), names_.number,
                       std::isfinite(number) ? value : "null");
        if (rank > 0) fmt::format_to(out, ", \"rank\": {}", rank);
        line_ += '}';
    } else {
        fmt::format_to(out, "{}{}{}{}{}", id_field(first), separator_, id_field(second), separator_, value);
        if (rank > 0) fmt::format_to(out, "{}{}", separator_, rank);
        line_ += '\n';
    }
    file_.write(line_);
    empty_ = false;
}

void RecordWriter::commit() {
    if (json_) file_.write("\n]}\n");
    file_.commit();
}

}  // namespace lockstep::predict
