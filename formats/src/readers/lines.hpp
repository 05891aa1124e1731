// The lines of a text input. The input is read in blocks of whole lines. Blocks can be taken out of the
// reader and split into lines by other threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "quotes.hpp"

namespace lockstep::readers {

/// Size in bytes of the blocks in which text is read. A block becomes longer if it contains a longer line.
/// Tests use smaller blocks.
extern std::size_t text_block_bytes;

/// Consecutive whole lines of the input. The last line of the input may lack a line end. A NUL byte and at
/// least `margin` more bytes follow the text, so that a parser may read ahead without checking for the end.
struct TextBlock {
    static constexpr std::size_t margin = 16;
    std::vector<char> bytes;
    std::string_view text;
    EdgeId lines_before = 0;  ///< number of lines of the input that precede this block
};

/// Splits a block into lines, without their line ends (LF or CRLF). If `records` is given, splits the block
/// into records instead, whose quoted fields may contain line ends. Throws FormatError for NUL bytes, for
/// line ends of CR alone, and for lines of more than `max_line` bytes.
class Lines {
public:
    static constexpr std::size_t usual_line = std::size_t{1} << 20;
    Lines(const std::string& name, const TextBlock& block, std::size_t max_line = usual_line,
          const Records* records = nullptr);

    /// Returns the next line in `line`. Returns false at the end of the block.
    bool next(std::string_view& line);
    /// Returns the number of the line that next() returned last. The first line of the input has number 1.
    /// For a record, it is the number of its first line.
    EdgeId number() const { return number_; }
    /// Throws FormatError with the number of this line and the message.
    [[noreturn]] void fail(const std::string& message) const;

    /// Returns the text after the line that next() returned last. A parser may read the next line from it,
    /// and must then call skip_line() with the size of this line.
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
    EdgeId inner_lines_ = 0;  // number of line ends inside the record that was returned last
    std::size_t given_ = 0;   // size of the line that next() returned last, including its line end
    std::string_view rest_;
    // Whether the block contains a NUL byte, a CR, or a quote; if not, lines need not be searched for it.
    bool has_nul_, has_cr_, has_quote_;
    EdgeId number_;
};

/// Splits a whole input into lines. A line is valid until the next call.
class LineReader : public Lines {
public:
    explicit LineReader(Input& input, std::size_t max_line = usual_line);

    bool next(std::string_view& line);
    /// Returns the next line, or only a part of it that ends with a blank and fits in a block; `more` is set
    /// to whether the line continues in the next part. This is for formats whose lines may have any length;
    /// `max_line` then limits the length of a word.
    bool next_piece(std::string_view& piece, bool& more);
    /// Moves back to the beginning of the line that next() returned last. From there on, the input is read as
    /// records instead of lines.
    void read_records(const Records& records);
    /// Moves the unread rest of the current block to `block`, or the next block if there is no rest. Its
    /// lines count as returned. Returns false at the end of the input. The memory of `block` is reused.
    bool next_block(TextBlock& block);

private:
    bool read_block(TextBlock& block);

    Input& input_;
    TextBlock block_;
    std::string cut_off_;  // beginning of a line whose end was not read yet
    bool ended_ = false, in_pieces_ = false;
    EdgeId lines_read_ = 0;
};

}  // namespace lockstep::readers
