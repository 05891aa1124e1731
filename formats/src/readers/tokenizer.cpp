#include "tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lockstep::readers {

std::size_t text_block_bytes = std::size_t{1} << 18;

namespace {

/// Counts line ends, like std::count. The text is counted in pieces whose count fits in one byte; the
/// compiler vectorizes such loops, which makes them several times as fast.
EdgeId count_newlines(std::string_view text) {
    EdgeId total = 0;
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, 128);
        std::uint8_t count = 0;
        for (const char c : piece) count = static_cast<std::uint8_t>(count + (c == '\n'));
        total += count;
        text.remove_prefix(piece.size());
    }
    return total;
}

/// Returns the position of the quote that closes the quoted text beginning at `open`, or npos if there is
/// none. Two quotes in a row stand for a quote in the text.
std::size_t closing_quote(std::string_view text, std::size_t open) {
    for (std::size_t at = open + 1; (at = text.find('"', at)) != text.npos; at += 2) {
        if (at + 1 == text.size() || text[at + 1] != '"') return at;
    }
    return text.npos;
}

}  // namespace

Records::Field Records::field_at(std::string_view text, std::size_t at, std::size_t& line_end) const {
    Field field{at};
    while (field.begin < line_end && is_blank_here(text[field.begin])) ++field.begin;
    field.quoted = field.begin < line_end && text[field.begin] == '"';
    std::size_t from = field.begin;
    if (field.quoted) {
        field.close = closing_quote(text, field.begin);
        if (field.close == none) return field;
        from = field.close + 1;
        line_end = std::min(text.find('\n', from), text.size());
    }
    const std::string_view rest = text.substr(from, line_end - from);
    const std::size_t end = !known_              ? rest.find_first_of(",;|:\t ")
                            : delimiter_.empty() ? rest.find_first_of(" \t")
                                                 : rest.find(delimiter_);
    if (end != none) field.next = from + end + std::max<std::size_t>(delimiter_.size(), 1);
    return field;
}

Records::End Records::end_of(std::string_view text) const {
    std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find('"') == none || is_comment(trim(line))) return {end};
    for (std::size_t at = 0; at != none;) {
        const Field field = field_at(text, at, end);
        if (field.quoted && field.close == none) return {text.size(), field.begin};
        at = field.next;
    }
    return {end};
}

std::size_t Records::whole(std::string_view text, std::size_t known) const {
    std::size_t done = 0;
    for (;;) {
        const std::size_t quote = text.find('"', done);
        if (quote == none) break;
        // The lines before the line that contains this quote are complete records.
        std::size_t begin = quote;
        while (begin > done && text[begin - 1] != '\n') --begin;
        const End end = end_of(text.substr(begin));
        if (end.open != none || begin + end.at == text.size()) return begin;
        done = begin + end.at + 1;
    }
    const std::size_t from = std::max(done, known);
    const std::size_t newline = text.substr(from).rfind('\n');
    return newline == none ? done : from + newline + 1;
}

void split(std::string_view line, std::string_view delimiter, Fields& fields) {
    fields.clear();
    if (delimiter.empty()) {
        for (auto token = next_token(line); !token.empty(); token = next_token(line)) fields.push_back(token);
        return;
    }
    for (std::size_t at; (at = line.find(delimiter)) != line.npos;) {
        fields.push_back(trim(line.substr(0, at)));
        line.remove_prefix(at + delimiter.size());
    }
    fields.push_back(trim(line));
}

void split_record(const Lines& lines, std::string_view record, const Records& records, Fields& fields) {
    const std::string& delimiter = records.delimiter();
    fields.quoted = record.find('"') != record.npos;
    if (!fields.quoted) return split(record, delimiter, fields);
    fields.clear();
    fields.unescaped.clear();
    // Prevents reallocation, because the fields refer to this string.
    fields.unescaped.reserve(record.size());
    std::size_t end = record.size();
    for (std::size_t at = 0; at != Records::none;) {
        const Records::Field field = records.field_at(record, at, end);
        if (delimiter.empty() && field.begin == record.size()) return;
        at = field.next;
        const std::size_t separator =
            at == Records::none ? record.size() : at - std::max<std::size_t>(delimiter.size(), 1);
        if (!field.quoted) {
            fields.push_back(trim(record.substr(field.begin, separator - field.begin)));
            continue;
        }
        const bool closed = field.close != Records::none;
        if (!closed || !trim(record.substr(field.close + 1, separator - field.close - 1)).empty()) {
            lines.fail(
                fmt::format("{} is not a quoted field: text follows its closing quote; double the quotes "
                            "inside a field (\"\")",
                            shown(record.substr(field.begin))));
        }
        const std::string_view inner = record.substr(field.begin + 1, field.close - field.begin - 1);
        if (inner.find('"') == inner.npos) {
            fields.push_back(inner);
        } else {
            const std::size_t first = fields.unescaped.size();
            for (std::size_t i = 0; i < inner.size(); i += inner[i] == '"' ? 2 : 1)
                fields.unescaped += inner[i];
            fields.push_back(std::string_view(fields.unescaped).substr(first));
        }
    }
}

bool next_fields(LineReader& lines, char comment, Fields& fields) {
    for (std::string_view line; lines.next(line);) {
        split(line.substr(0, line.find(comment)), "", fields);
        if (!fields.empty()) return true;
    }
    return false;
}

Lines::Lines(const std::string& name, const TextBlock& block, const Records* records)
    : name_(&name),
      records_(records),
      rest_(block.text),
      has_nul_(block.text.find('\0') != std::string_view::npos),
      has_cr_(block.text.find('\r') != std::string_view::npos),
      has_quote_(records && block.text.find('"') != std::string_view::npos),
      number_(block.lines_before) {}

void Lines::fail(const std::string& message) const { throw FormatError(*name_, number_, message); }

bool Lines::next(std::string_view& line) {
    if (rest_.empty()) return false;
    Records::End end{rest_.find('\n')};
    if (has_quote_) end = records_->end_of(rest_);
    line = rest_.substr(0, end.at);
    given_ = std::min(line.size() + 1, rest_.size());
    skip_line(given_);
    const std::string_view checked = line.substr(0, max_line + 1);
    if (has_nul_ && checked.find('\0') != std::string_view::npos)
        fail("found a NUL byte; expected text (if this is a binary format, name it with --format)");
    for (std::size_t at = 0; has_cr_ && (at = checked.find('\r', at)) + 1 < line.size() && at != line.npos;
         ++at) {
        if (line[at + 1] == '\n') continue;
        fail(
            "found a CR that does not end a line; expected lines that end in LF or CRLF (tr '\\r' '\\n' "
            "converts old files)");
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > max_line) {
        fail(fmt::format("the line is longer than {} bytes; expected one edge per line{}", max_line,
                         records_ && checked.find('"') != line.npos ? ", and every quote closed" : ""));
    }
    if (end.open != Records::none) {
        number_ += count_newlines(line.substr(0, end.open));
        fail(
            fmt::format("the quote that opens {} is never closed; close it, or, if the quote is part of the "
                        "text, double it (\"\") and put the field in quotes",
                        shown(line.substr(end.open))));
    }
    if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (has_quote_) inner_lines_ = count_newlines(line);
    return true;
}

bool LineReader::next(std::string_view& line) {
    while (!Lines::next(line)) {
        if (!read_block(block_)) return false;
        static_cast<Lines&>(*this) = Lines(*name_, block_, records_);
    }
    return true;
}

bool LineReader::next_piece(std::string_view& piece, bool& more) {
    in_pieces_ = true;
    if (!next(piece)) return false;
    more = rest_.empty() && !ended_ && block_.text.back() != '\n';
    return true;
}

void LineReader::read_records(const Records& records) {
    records_ = &records;
    cut_off_.insert(0, rest_.data() - given_, given_ + rest_.size());
    rest_ = {};
    inner_lines_ = 0;
    lines_read_ = --number_;
}

bool LineReader::next_block(TextBlock& block) {
    if (rest_.empty()) {
        if (!read_block(block)) return false;
    } else {
        std::swap(block, block_);
        block.text = rest_;
        block.lines_before = number_ + inner_lines_;
        rest_ = {};
    }
    number_ = lines_read_;
    inner_lines_ = 0;
    return true;
}

bool LineReader::read_block(TextBlock& block) {
    auto& bytes = block.bytes;
    const auto reserve = [&](std::size_t size) {
        if (bytes.size() < size + TextBlock::margin) bytes.resize(size + TextBlock::margin);
    };
    std::size_t size = cut_off_.size(), stop = 0, checked = 0;
    reserve(size);
    std::memcpy(bytes.data(), cut_off_.data(), size);
    while (stop == 0 && !ended_) {
        reserve(size + text_block_bytes);
        const std::size_t got = input_.read(bytes.data() + size, text_block_bytes);
        if (records_) {
            stop = records_->whole({bytes.data(), size + got}, checked);
        } else {
            const std::size_t newline = std::string_view(bytes.data() + size, got).rfind('\n');
            if (newline != std::string_view::npos) stop = size + newline + 1;
        }
        checked = size += got;
        if (in_pieces_ && stop == 0) stop = std::string_view(bytes.data(), size).find_last_of(" \t") + 1;
        // A line that is longer than permitted ends the reading; next() returns it and throws.
        ended_ = got < text_block_bytes || (stop == 0 && size > max_line);
    }
    if (ended_) stop = size;
    cut_off_.assign(bytes.data() + stop, size - stop);
    bytes[stop] = '\0';
    block.text = {bytes.data(), stop};
    block.lines_before = lines_read_;
    lines_read_ += count_newlines(block.text) + (ended_ && stop > 0 && block.text.back() != '\n');
    return stop > 0;
}

}  // namespace lockstep::readers
