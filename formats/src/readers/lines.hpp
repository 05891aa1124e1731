// Lines of an input. The input is read in blocks of whole lines. Several blocks may be taken out and split
// into lines elsewhere, concurrently.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "quotes.hpp"

namespace lockstep::readers {

/// Size in bytes of the blocks in which text is read. A block is longer if it contains a longer line. Tests
/// reduce the size.
extern std::size_t text_block_bytes;

/// Whole lines as they are in the input. The last line of the input may lack a line end. The text is followed
/// by a NUL and at least `margin` more bytes, so that scanners may read ahead without bounds checks.
struct TextBlock {
    static constexpr std::size_t margin = 16;
    std::vector<char> bytes;
    std::string_view text;
    EdgeId lines_before = 0;  ///< number of lines of the input before this block
};

/// The lines of one block, without their ends (LF or CRLF). With `records`, the records of the block, whose
/// quoted fields may contain line ends. Refuses NUL bytes, lines that end in CR alone, and lines longer than
/// `max_line` bytes.
class Lines {
public:
    static constexpr std::size_t usual_line = std::size_t{1} << 20;
    Lines(const std::string& name, const TextBlock& block, std::size_t max_line = usual_line,
          const Records* records = nullptr);

    bool next(std::string_view& line);
    /// Returns the number of the last line that was returned, counted from 1 in the whole input; for a
    /// record, the number of its first line.
    EdgeId number() const { return number_; }
    /// Throws FormatError with the number of that line.
    [[noreturn]] void fail(const std::string& message) const;

    /// Returns the text that was not returned yet. A scanner that parses the next line itself then calls
    /// skip_line().
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
    EdgeId inner_lines_ = 0;  // number of line ends inside the last record that was returned
    std::size_t given_ = 0;   // size of the last line that `next` returned, with its line end
    std::string_view rest_;
    // These characters occur in the block, so that most lines need not be searched for them.
    bool has_nul_, has_cr_, has_quote_;
    EdgeId number_;
};

/// The lines of an input. A line is valid until the next call.
class LineReader : public Lines {
public:
    explicit LineReader(Input& input, std::size_t max_line = usual_line);

    bool next(std::string_view& line);
    /// Reads the next line, or a piece of it that ends with a blank and fits into a block; `more` becomes
    /// true if the line continues in the next piece. For formats with lines of unbounded length. `max_line`
    /// then limits the length of a word.
    bool next_piece(std::string_view& piece, bool& more);
    /// Moves back before the last line that `next` returned. This line and all further lines are read as
    /// records.
    void read_records(const Records& records);
    /// Takes the rest of the current block, or else the next block; its lines count as returned. Returns
    /// false at the end of the input. The memory of `block` is reused.
    bool next_block(TextBlock& block);

private:
    bool read_block(TextBlock& block);

    Input& input_;
    TextBlock block_;
    std::string cut_off_;  // start of a line whose end has not been read yet
    bool ended_ = false, in_pieces_ = false;
    EdgeId lines_read_ = 0;
};

}  // namespace lockstep::readers
