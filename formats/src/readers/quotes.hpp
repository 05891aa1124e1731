// Quoted fields of delimited text, as in RFC 4180. A quoted field may contain delimiters, line ends and
// doubled quotes, which stand for a quote. Only a quote at the beginning of a field opens a quoted field;
// elsewhere it is an ordinary character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::readers {

class Lines;
struct Fields;

/// Splits text into records. A record is a line, or several lines if a quoted field contains line ends. A
/// line that starts with # or % is always a record.
class Records {
public:
    /// Constructs a splitter for fields with this delimiter; an empty string stands for any number of blanks.
    /// If the delimiter is not known yet, every usual delimiter counts.
    explicit Records(std::optional<std::string> delimiter = {}) : delimiter_(std::move(delimiter)) {}

    /// Returns the delimiter. The result is empty if it is any number of blanks, or not known.
    std::string delimiter() const { return delimiter_.value_or(""); }

    /// The end of a record.
    struct End {
        /// Position of the line end after the record, or the size of the text if there is none.
        std::size_t at;
        bool open;          ///< whether the text ends inside a quoted field
        std::size_t quote;  ///< position of the quote that is not closed, if `open`
    };
    /// Returns the end of the record at the beginning of `text`. O(bytes of the record).
    End end_of(std::string_view text) const;
    /// Returns the size in bytes of the complete records at the beginning of `text`, including their line
    /// ends. The caller knows that no record ends in the first `known` bytes.
    std::size_t whole(std::string_view text, std::size_t known) const;

    /// Returns the record with every quoted field replaced by "x". The delimiter is detected in the result,
    /// which contains no delimiters inside quotes.
    std::string remove_quoted_fields(std::string_view record) const;

private:
    std::size_t next_field(std::string_view text, std::size_t at, std::size_t line_end) const;
    bool is_blank_here(char c) const { return c == ' ' || (c == '\t' && delimiter_ != "\t"); }

    std::optional<std::string> delimiter_;
};

inline bool is_comment(std::string_view text) { return text.starts_with('#') || text.starts_with('%'); }

/// Splits a record that contains quotes into fields. Fields without quotes are trimmed. Throws FormatError
/// with the line of the record if something other than a delimiter follows a closing quote.
void split_quoted(const Lines& lines, std::string_view record, std::string_view delimiter, Fields& fields);

}  // namespace lockstep::readers
