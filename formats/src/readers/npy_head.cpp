#include "npy_head.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "sparse_matrix.hpp"
#include "words.hpp"

namespace lockstep::readers {

namespace {

struct NumberType {
    char kind;
    std::size_t bytes;
};

/// Returns the type that a word such as "<f4" denotes. Throws Error if NumPy has no such type or the numbers
/// are big-endian.
NumberType number_type(const std::string& type, const std::string& array, const std::string& advice) {
    const auto size = type.size() > 2 ? number<std::size_t>(std::string_view(type).substr(2)) : std::nullopt;
    if (!size || *size == 0 || *size > (type[1] == 'V' ? 128 : 64) ||
        std::string_view("<|=>").find(type[0]) == std::string_view::npos)
        fail(fmt::format("{} contains {}, which is not supported; expected numbers", array, shown(type)));
    if (type[0] == '>' && *size > 1)
        fail(fmt::format("{} is big-endian ({}); expected little-endian{}{}", array, type,
                         advice.empty() ? "" : ": ", advice));
    return {type[1], type[1] == 'U' ? 4 * *size : *size};
}

/// Parser of the Python dictionary in the head of an array, such as {'descr': '<i4', 'fortran_order': False,
/// 'shape': (3, 4), }.
class ArrayHeader {
public:
    ArrayHeader(std::string_view text, const std::string& array) : text_(text), array_(array) {
        read_list('{', '}', [&] {
            const std::string key = quoted();
            expect(':');
            if (key == "descr")
                type = type_text();
            else if (key == "fortran_order")
                fortran_order = word();
            else if (key == "shape")
                shape = tuple();
            else
                malformed();
        });
        blanks();
        if (!text_.empty() || type.empty() || !shape) malformed();
    }

    std::string type;
    std::vector<NpyField> fields;
    bool fortran_order = false;
    std::optional<std::vector<std::uint64_t>> shape;

private:
    [[noreturn]] void malformed() const { fail(array_ + " has a header that is not NumPy's"); }
    void blanks() {
        const std::size_t end = std::min(text_.find_first_not_of(" \n"), text_.size());
        text_.remove_prefix(end);
    }
    bool accept(char c) {
        blanks();
        if (!text_.starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!accept(c)) malformed();
    }
    /// Parses a list of items with commas between them, and perhaps one after the last item.
    template <class ReadItem>
    void read_list(char open, char close, ReadItem read_item) {
        expect(open);
        while (!accept(close)) {
            read_item();
            if (accept(',')) continue;
            expect(close);
            break;
        }
    }
    /// Parses the type of the entries: a quoted word, or a list of fields. Returns its text.
    std::string type_text() {
        blanks();
        if (!text_.starts_with('[')) return quoted();
        const std::string_view begin = text_;
        read_list('[', ']', [&] { fields.push_back(field()); });
        return std::string(begin.substr(0, begin.size() - text_.size()));
    }
    /// Parses a field of a structured type, such as ('x', '<f4') or ('x', '<f4', (3,)).
    NpyField field() {
        NpyField field;
        expect('(');
        field.name = quoted();
        expect(',');
        blanks();
        if (!text_.starts_with('\''))
            fail(fmt::format("{} has the field {}, which is a structure; expected numbers", array_,
                             shown(field.name)));
        const NumberType number = number_type(quoted(), array_, "");
        field.kind = number.kind, field.bytes = number.bytes;
        if (accept(',')) {
            for (const std::uint64_t n : tuple()) {
                if (__builtin_mul_overflow(field.count, n, &field.count)) malformed();
            }
        }
        expect(')');
        return field;
    }
    std::string quoted() {
        expect('\'');
        const std::size_t end = text_.find('\'');
        if (end == text_.npos) malformed();
        std::string content(text_.substr(0, end));
        text_.remove_prefix(end + 1);
        return content;
    }
    bool word() {
        blanks();
        for (const std::string_view value : {"True", "False"}) {
            if (!text_.starts_with(value)) continue;
            text_.remove_prefix(value.size());
            return value == "True";
        }
        malformed();
    }
    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> numbers;
        read_list('(', ')', [&] {
            blanks();
            const std::size_t end = std::min(text_.find_first_not_of("0123456789"), text_.size());
            const auto value = number<std::uint64_t>(text_.substr(0, end));
            if (!value || numbers.size() == 4) malformed();
            numbers.push_back(*value);
            text_.remove_prefix(end);
        });
        return numbers;
    }

    std::string_view text_;
    const std::string& array_;
};

}  // namespace

NpyHead npy_head(std::string_view file, const std::string& name, const std::string& advice) {
    if (!file.starts_with("\x93NUMPY") || file.size() < 10) fail(name + " is not a NumPy array");
    const std::size_t width = file[6] == 1 ? 2 : 4;
    if (file[6] < 1 || file[6] > 3 || file.size() < 8 + width)
        fail(name + " is of an unknown version of NumPy's format");
    std::uint64_t length = 0;
    std::memcpy(&length, file.data() + 8, width);
    if (length > file.size() - 8 - width) fail(name + " is cut off");
    const ArrayHeader header(file.substr(8 + width, length), name);
    NpyHead head;
    head.begin = 8 + width + length;
    head.shape = *header.shape, head.type = header.type, head.fortran_order = header.fortran_order;
    head.fields = header.fields;
    if (head.fields.empty()) {
        const NumberType type = number_type(head.type, name, advice);
        head.kind = type.kind, head.entry_bytes = type.bytes;
    } else {
        head.kind = 'V';
        for (NpyField& field : head.fields) {
            field.offset = head.entry_bytes;
            head.entry_bytes += field.count * field.bytes;
        }
        if (head.entry_bytes == 0 || head.entry_bytes > (std::size_t{1} << 16))
            fail(fmt::format("{} has entries of {} bytes", name, head.entry_bytes));
    }
    for (const std::uint64_t n : head.shape) {
        if (__builtin_mul_overflow(head.entries, n, &head.entries))
            fail(name + " declares an impossible size");
    }
    return head;
}

}  // namespace lockstep::readers
