#include "markup.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

namespace lockstep::report {

std::string escape(std::string_view text) {
    using nlohmann::json;
    // The JSON library checks UTF-8; a round trip through it replaces invalid bytes.
    const auto valid =
        json::parse(json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace))
            .get<std::string>();
    static constexpr const char* special = "&<>\"'";
    static constexpr const char* names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    std::string out;
    for (char c : valid) {
        const char* const found = c ? std::strchr(special, c) : nullptr;
        if (found)
            out += names[found - special];
        else
            out += (c >= 0 && c < 0x20) || c == 0x7F ? ' ' : c;
    }
    return out;
}

std::string table_html(const Cells& cells, const std::string& caption) {
    std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                       escape(caption) + "\"><table><caption>" + escape(caption) + "</caption>\n<thead><tr>";
    for (std::size_t i = 0; i < cells.header.size(); ++i) {
        html += std::string("<th scope=\"col\"") + (cells.is_left(i) ? " class=\"text\">" : ">") +
                escape(cells.header[i]) + "</th>";
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : cells.rows) {
        html += "<tr><th scope=\"row\">" + escape(row.front()) + "</th>";
        for (std::size_t i = 1; i < row.size(); ++i) {
            html += (cells.is_left(i) ? "<td class=\"text\">" : "<td>") + escape(row[i]) + "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

}  // namespace lockstep::report
