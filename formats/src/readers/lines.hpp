// Lines of an input. The input is read in blocks of whole lines, which may also be taken out and cut
// elsewhere, several at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "quotes.hpp"

namespace lockstep::readers {

/// Bytes that a block of text is read in; a block is longer where one line is. Tests shrink it.
extern std::size_t text_block_bytes;

/// Whole lines as they stand in the input; its last line may lack an end. Behind the text stands a NUL
/// and at least `margin` further bytes, so that scanners may look ahead without bounds.
struct TextBlock {
    static constexpr std::size_t margin = 16;
    std::vector<char> bytes;
    std::string_view text;
    EdgeId lines_before = 0;  ///< lines of the input before this block
};

/// The lines of one block, without their ends (LF or CRLF); with `records` those, which hold line ends inside
/// quotes. Refuses NUL bytes, lines that end in CR alone, and lines longer than `max_line` bytes.
class Lines {
public:
    static constexpr std::size_t usual_line = std::size_t{1} << 20;
    Lines(const std::string& name, const TextBlock& block, std::size_t max_line = usual_line,
          const Records* records = nullptr);

    bool next(std::string_view& line);
    /// Number of the line that was given last, from 1, in the whole input; of a record, its first one.
    EdgeId number() const { return number_; }
    /// Throws FormatError at that line.
    [[noreturn]] void fail(const std::string& message) const;

    /// What has not been given yet. A scanner that understands the next line by itself counts it as given.
    std::string_view rest() const { return rest_; }
    void skip_line(std::size_t bytes_with_end) {
        rest_.remove_prefix(bytes_with_end);
        number_ += 1 + inner_lines_;
        inner_lines_ = 0;
    }

protected:
    const std::string* name_;
    std::size_t max_line_;
    const Records* records_;
    EdgeId inner_lines_ = 0;  // line ends inside the record that was given last
    std::size_t given_ = 0;   // bytes of the line that `next` gave last, with its end
    std::string_view rest_;
    bool has_nul_, has_cr_, has_quote_;  // anywhere in the block, which spares looking in every line
    EdgeId number_;
};

/// The lines of an input. A line is valid until the next call.
class LineReader : public Lines {
public:
    explicit LineReader(Input& input, std::size_t max_line = usual_line);

    bool next(std::string_view& line);
    /// The next line, or as much of it as ends with a blank and fits into a block: `more` says that the line
    /// goes on with the next piece. For formats whose lines have no bound; `max_line` is that of a word.
    bool next_piece(std::string_view& piece, bool& more);
    /// Takes back the line that `next` gave last: it and all further ones are records from here on.
    void read_records(const Records& records);
    /// Takes out what is left of the current block, or else the next block: its lines count as given.
    /// False at the end of the input. `block` lends its memory.
    bool next_block(TextBlock& block);

private:
    bool read_block(TextBlock& block);

    Input& input_;
    TextBlock block_;
    std::string cut_off_;  // the beginning of a line whose end has not been read
    bool ended_ = false, in_pieces_ = false;
    EdgeId lines_read_ = 0;
};

}  // namespace lockstep::readers
