// Quoted fields of delimited text by RFC 4180: delimiters, line breaks and doubled quotes may stand inside.
// A quote is one at the beginning of a field; elsewhere it is a character like others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::readers {

class Lines;
struct Fields;

/// Where records end, which go on over line ends inside quotes. Lines that start with # or % are records.
class Records {
public:
    /// `delimiter` is empty for runs of blanks; without one, any usual delimiter is taken for one.
    explicit Records(std::optional<std::string> delimiter = {}) : delimiter_(std::move(delimiter)) {}

    /// Empty for runs of blanks, and while it is not known.
    std::string delimiter() const { return delimiter_.value_or(""); }

    struct End {
        std::size_t at;     ///< of the line end behind the record; the size of a text without one
        bool open;          ///< the text ends inside quotes
        std::size_t quote;  ///< where those begin
    };
    /// The end of the record at the beginning of `text`. O(bytes of the record).
    End end_of(std::string_view text) const;
    /// Bytes of the whole records with line ends that `text` begins with; none end in its first `known`.
    std::size_t whole(std::string_view text, std::size_t known) const;

    /// The record with every quoted field as "x": what is left tells the delimiter.
    std::string without_quoted(std::string_view record) const;

private:
    std::size_t next_field(std::string_view text, std::size_t at, std::size_t line_end) const;
    bool is_blank_here(char c) const { return c == ' ' || (c == '\t' && delimiter_ != "\t"); }

    std::optional<std::string> delimiter_;
};

inline bool is_comment(std::string_view text) { return text.starts_with('#') || text.starts_with('%'); }

/// Splits a record that holds quotes; fields without quotes are trimmed of blanks. Fails at the record where
/// something stands behind a closing quote.
void split_quoted(const Lines& lines, std::string_view record, std::string_view delimiter, Fields& fields);

}  // namespace lockstep::readers
