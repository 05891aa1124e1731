#include "quotes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace lockstep::readers {
namespace {

constexpr std::size_t npos = std::string_view::npos;

/// Returns the position of the quote that closes the quoted text beginning at `open`, or npos if there is
/// none. Two quotes in a row stand for a quote in the text.
std::size_t closing_quote(std::string_view text, std::size_t open) {
    for (std::size_t at = open + 1; (at = text.find('"', at)) != npos; at += 2) {
        if (at + 1 == text.size() || text[at + 1] != '"') return at;
    }
    return npos;
}

}  // namespace

/// Returns the position of the field after the one that contains `at`, or npos if this is the last field of
/// the line.
std::size_t Records::next_field(std::string_view text, std::size_t at, std::size_t line_end) const {
    const std::string_view rest = text.substr(at, line_end - at);
    const std::size_t end = !delimiter_           ? rest.find_first_of(",;|:\t ")
                            : delimiter_->empty() ? rest.find_first_of(" \t")
                                                  : rest.find(*delimiter_);
    if (end == npos) return npos;
    return at + end + (delimiter_ && !delimiter_->empty() ? delimiter_->size() : 1);
}

Records::End Records::end_of(std::string_view text) const {
    std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find('"') == npos || is_comment(trim(line))) return {end, false, 0};
    for (std::size_t at = 0; at != npos; at = next_field(text, at, end)) {
        while (at < end && is_blank_here(text[at])) ++at;
        if (at >= end || text[at] != '"') continue;
        const std::size_t close = closing_quote(text, at);
        if (close == npos) return {text.size(), true, at};
        at = close + 1;
        end = std::min(text.find('\n', at), text.size());
    }
    return {end, false, 0};
}

std::size_t Records::whole(std::string_view text, std::size_t known) const {
    std::size_t done = 0;
    for (;;) {
        const std::size_t quote = text.find('"', done);
        if (quote == npos) break;
        // The lines before the line that contains this quote are complete records.
        std::size_t begin = quote;
        while (begin > done && text[begin - 1] != '\n') --begin;
        const End end = end_of(text.substr(begin));
        if (end.open || begin + end.at == text.size()) return begin;
        done = begin + end.at + 1;
    }
    const std::size_t from = std::max(done, known);
    const std::size_t newline = text.substr(from).rfind('\n');
    return newline == npos ? done : from + newline + 1;
}

std::string Records::remove_quoted_fields(std::string_view record) const {
    std::string rest;
    for (std::size_t at = 0; at < record.size();) {
        std::size_t begin = at;
        while (begin < record.size() && is_blank_here(record[begin])) ++begin;
        const std::size_t close =
            begin < record.size() && record[begin] == '"' ? closing_quote(record, begin) : npos;
        const std::size_t text = close == npos ? at : close + 1;
        const std::size_t next = std::min(next_field(record, text, record.size()), record.size());
        if (close != npos) rest += record.substr(at, begin - at), rest += 'x';
        rest += record.substr(text, next - text);
        at = next;
    }
    return rest;
}

void split_quoted(const Lines& lines, std::string_view record, std::string_view delimiter, Fields& fields) {
    const auto blank = [&](char c) { return c == ' ' || (c == '\t' && delimiter != "\t"); };
    const auto skip_blanks = [&](std::size_t at) {
        while (at < record.size() && blank(record[at])) ++at;
        return at;
    };
    fields.count = 0;
    fields.unescaped.clear();
    // Prevents reallocation, because the fields refer to this string.
    fields.unescaped.reserve(record.size());
    for (std::size_t at = 0;;) {
        const std::size_t begin = at = skip_blanks(at);
        if (delimiter.empty() && at == record.size()) return;
        if (at < record.size() && record[at] == '"') {
            const std::size_t close = closing_quote(record, at);
            const std::string_view inner = record.substr(at + 1, close == npos ? npos : close - at - 1);
            at = close == npos ? record.size() : close + 1;
            const std::size_t behind = skip_blanks(at);
            const bool ends =
                behind == record.size() ||
                (delimiter.empty() ? behind > at : record.substr(behind).starts_with(delimiter));
            if (close == npos || !ends) {
                lines.fail(
                    fmt::format("{} is not a quoted field: text follows its closing quote; double the quotes "
                                "inside a field (\"\")",
                                shown(record.substr(begin))));
            }
            if (inner.find('"') == npos) {
                fields.push(inner);
            } else {
                const std::size_t first = fields.unescaped.size();
                for (std::size_t i = 0; i < inner.size(); i += inner[i] == '"' ? 2 : 1)
                    fields.unescaped += inner[i];
                fields.push(std::string_view(fields.unescaped).substr(first));
            }
            at = behind;
        } else {
            at = delimiter.empty() ? record.find_first_of(" \t", at) : record.find(delimiter, at);
            at = std::min(at, record.size());
            fields.push(trim(record.substr(begin, at - begin)));
        }
        if (at == record.size()) return;
        at += delimiter.size();
    }
}

}  // namespace lockstep::readers
