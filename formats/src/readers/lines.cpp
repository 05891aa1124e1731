#include "lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "text.hpp"

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

}  // namespace

Lines::Lines(const std::string& name, const TextBlock& block, std::size_t max_line, const Records* records)
    : name_(&name),
      max_line_(max_line),
      records_(records),
      rest_(block.text),
      has_nul_(block.text.find('\0') != std::string_view::npos),
      has_cr_(block.text.find('\r') != std::string_view::npos),
      has_quote_(records && block.text.find('"') != std::string_view::npos),
      number_(block.lines_before) {}

void Lines::fail(const std::string& message) const { throw FormatError(*name_, number_, message); }

bool Lines::next(std::string_view& line) {
    if (rest_.empty()) return false;
    Records::End end{rest_.find('\n'), false, 0};
    if (has_quote_) end = records_->end_of(rest_);
    line = rest_.substr(0, end.at);
    given_ = std::min(line.size() + 1, rest_.size());
    skip_line(given_);
    const std::string_view checked = line.substr(0, max_line_ + 1);
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
    if (line.size() > max_line_) {
        fail(fmt::format("the line is longer than {} bytes; expected one edge per line{}", max_line_,
                         records_ && checked.find('"') != line.npos ? ", and every quote closed" : ""));
    }
    if (end.open) {
        number_ += count_newlines(line.substr(0, end.quote));
        fail(
            fmt::format("the quote that opens {} is never closed; close it, or, if the quote is part of the "
                        "text, double it (\"\") and put the field in quotes",
                        shown(line.substr(end.quote))));
    }
    if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (has_quote_) inner_lines_ = count_newlines(line);
    return true;
}

LineReader::LineReader(Input& input, std::size_t max_line)
    : Lines(input.name(), TextBlock{}, max_line), input_(input) {}

bool LineReader::next(std::string_view& line) {
    while (!Lines::next(line)) {
        if (!read_block(block_)) return false;
        static_cast<Lines&>(*this) = Lines(*name_, block_, max_line_, records_);
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
        ended_ = got < text_block_bytes || (stop == 0 && size > max_line_);
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
