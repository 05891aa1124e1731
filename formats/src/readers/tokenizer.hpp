// The tokenizer of all text readers: splits an input into lines or records, and these into fields. The input
// is read in blocks of whole lines. Blocks can be taken out of the reader and split by other threads.
//
// Fields may be quoted, as in RFC 4180. A quoted field may contain delimiters, line ends and doubled quotes,
// which stand for a quote. Only a quote at the beginning of a field opens a quoted field; elsewhere it is an
// ordinary character.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::readers {

/// Size in bytes of the blocks in which text is read. A block becomes longer if it contains a longer line.
/// Tests use smaller blocks.
extern std::size_t text_block_bytes;

inline bool is_comment(std::string_view text) { return text.starts_with('#') || text.starts_with('%'); }

/// Splits text into records of fields with a delimiter. A record is a line, or several lines if a quoted
/// field contains line ends. A line that starts with # or % is always a record.
class Records {
public:
    /// Constructs a splitter for fields with this delimiter; an empty string stands for any number of blanks.
    /// If the delimiter is not known yet, every usual delimiter counts.
    explicit Records(std::optional<std::string> delimiter = {})
        : known_(delimiter.has_value()), delimiter_(std::move(delimiter).value_or("")) {}

    /// Returns the delimiter. The result is empty if it is any number of blanks, or not known.
    const std::string& delimiter() const { return delimiter_; }

    static constexpr std::size_t none = std::string_view::npos;
    /// Positions of a field in a text.
    struct Field {
        std::size_t begin;         ///< position after leading blanks
        bool quoted = false;       ///< whether the field opens with a quote
        std::size_t close = none;  ///< position of the closing quote; `none` if there is none
        std::size_t next =
            none;  ///< position of the next field; `none` if this is the last field of the line
    };
    /// Returns the field that begins at `at`. `line_end` is the end of the line, and becomes that of the line
    /// on which the field closes.
    Field field_at(std::string_view text, std::size_t at, std::size_t& line_end) const;

    /// The end of a record.
    struct End {
        /// Position of the line end after the record, or the size of the text if there is none.
        std::size_t at;
        std::size_t open = none;  ///< position of a quote that is not closed, or `none`
    };
    /// Returns the end of the record at the beginning of `text`. O(bytes of the record).
    End end_of(std::string_view text) const;
    /// Returns the size in bytes of the complete records at the beginning of `text`, including their line
    /// ends. The caller knows that no record ends in the first `known` bytes.
    std::size_t whole(std::string_view text, std::size_t known) const;

private:
    bool is_blank_here(char c) const { return c == ' ' || (c == '\t' && delimiter_ != "\t"); }

    bool known_;
    std::string delimiter_;
};

/// Consecutive whole lines of the input. The last line of the input may lack a line end. A NUL byte and at
/// least `margin` more bytes follow the text, so that a parser may read ahead without checking for the end.
struct TextBlock {
    static constexpr std::size_t margin = 16;
    std::vector<char> bytes;
    std::string_view text;
    EdgeId lines_before = 0;  ///< number of lines of the input that precede this block
};

/// Splits a block into lines, without their line ends (LF or CRLF). If `records` is given, splits the block
/// into records instead. Throws FormatError for NUL bytes, for line ends of CR alone, and for lines of more
/// than `max_line` bytes.
class Lines {
public:
    static constexpr std::size_t max_line = std::size_t{1} << 20;
    Lines(const std::string& name, const TextBlock& block, const Records* records = nullptr);

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
    explicit LineReader(Input& input) : Lines(input.name(), TextBlock{}), input_(input) {}

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

/// The fields of a line.
struct Fields : std::vector<std::string_view> {
    /// Whether the line contains quotes, so that a field may contain any character.
    bool quoted = false;
    std::string unescaped = {};  ///< text of quoted fields that contained doubled quotes
};

/// Removes the next word from the beginning of a line, and returns it; returns an empty word at the end of
/// the line.
inline std::string_view next_token(std::string_view& line) {
    std::size_t begin = 0;
    while (begin < line.size() && is_blank(line[begin])) ++begin;
    std::size_t end = begin;
    while (end < line.size() && !is_blank(line[end])) ++end;
    const std::string_view token = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return token;
}

/// Splits a line without quotes at every occurrence of `delimiter`, or at runs of blanks if it is empty.
/// Fields are trimmed and may be empty.
void split(std::string_view line, std::string_view delimiter, Fields& fields);
/// Splits a record, which may contain quotes. Throws FormatError with its line if something other than a
/// delimiter follows a closing quote.
void split_record(const Lines& lines, std::string_view record, const Records& records, Fields& fields);

/// Reads lines up to one that has fields. Fields are separated by blanks, and a line ends at `comment`.
/// Returns false at the end of the input.
bool next_fields(LineReader& lines, char comment, Fields& fields);

/// Reads the next line that is neither blank nor a comment, which begins with one of `marks`. Returns false
/// at the end of the input. Calls see(comment) for each comment.
template <class Reader, class See>
bool next_content(Reader& lines, std::string_view marks, std::string_view& line, See see) {
    while (lines.next(line)) {
        const std::string_view text = trim(line);
        if (text.empty()) continue;
        if (marks.find(text[0]) == marks.npos) return true;
        see(text);
    }
    return false;
}

}  // namespace lockstep::readers
