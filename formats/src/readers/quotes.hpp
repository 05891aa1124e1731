// Quoted fields of delimited text by RFC 4180, which may contain delimiters, line breaks and doubled quotes.
// Only a quote at the start of a field opens a quoted field; elsewhere it is an ordinary character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::readers {

class Lines;
struct Fields;

/// Finds the ends of records, which continue over line ends inside quotes. A line that starts with # or % is
/// a record of its own.
class Records {
public:
    /// `delimiter` is empty for runs of blanks. If it is not set, any usual delimiter counts.
    explicit Records(std::optional<std::string> delimiter = {}) : delimiter_(std::move(delimiter)) {}

    /// Returns the delimiter; empty for runs of blanks, or if the delimiter is not known.
    std::string delimiter() const { return delimiter_.value_or(""); }

    struct End {
        std::size_t at;     ///< position of the line end after the record; the text size if there is none
        bool open;          ///< true: the text ends inside quotes
        std::size_t quote;  ///< position of the quote that was not closed
    };
    /// Returns the end of the record at the start of `text`. O(bytes of the record).
    End end_of(std::string_view text) const;
    /// Returns the size in bytes of the complete records, with their line ends, at the start of `text`. None
    /// of them ends in the first `known` bytes.
    std::size_t whole(std::string_view text, std::size_t known) const;

    /// Returns the record with every quoted field replaced by "x", so that the delimiter can be detected in
    /// the rest.
    std::string without_quoted(std::string_view record) const;

private:
    std::size_t next_field(std::string_view text, std::size_t at, std::size_t line_end) const;
    bool is_blank_here(char c) const { return c == ' ' || (c == '\t' && delimiter_ != "\t"); }

    std::optional<std::string> delimiter_;
};

inline bool is_comment(std::string_view text) { return text.starts_with('#') || text.starts_with('%'); }

/// Splits a record that contains quotes. Fields without quotes are trimmed. Fails at this record if a closing
/// quote is followed by anything but a delimiter.
void split_quoted(const Lines& lines, std::string_view record, std::string_view delimiter, Fields& fields);

}  // namespace lockstep::readers
