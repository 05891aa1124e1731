#include "edge_scanner.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace lockstep::readers {
namespace {

static_assert(std::endian::native == std::endian::little);

/// Number of digits at `at`, at most 8, and the value of these digits.
struct Digits {
    unsigned count;
    std::uint32_t value;
};
/// Returns the digits at `at`. Converts all of them together with a few 64-bit operations.
inline Digits digits_at(const char* at) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    bytes ^= 0x3030303030303030;
    // Sets the high bit of each byte that is not a digit. A carry may change only bytes after the first of
    // these.
    const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
    const auto count = others ? static_cast<unsigned>(std::countr_zero(others)) / 8 : 8U;
    if (count == 0) return {0, 0};
    bytes <<= 64 - 8 * count;  // puts zeros before the first digit
    bytes = bytes * 10 + (bytes >> 8);
    constexpr std::uint64_t mask = 0x000000FF000000FF;
    bytes =
        ((bytes & mask) * (100 + (1000000ULL << 32)) + (bytes >> 16 & mask) * (1 + (10000ULL << 32))) >> 32;
    return {count, static_cast<std::uint32_t>(bytes)};
}

constexpr std::uint32_t power_of_ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// Appends the digits at `at` to the number `value`, and moves `at` past them. Returns the number of digits.
/// If there are more than `most`, it stops early, and the value is not meaningful.
inline unsigned append_digits(const char*& at, std::uint64_t& value, unsigned most) {
    unsigned total = 0;
    for (;;) {
        const auto [count, part] = digits_at(at);
        value = value * power_of_ten[count] + part;
        at += count;
        total += count;
        if (count < 8 || total > most) [[likely]]
            return total;
    }
}

}  // namespace

bool scan_integer(const char*& at, std::int64_t& value) {
    constexpr unsigned most = 18;
    std::uint64_t number = 0;
    const char* const begin = at;
    const unsigned count = append_digits(at, number, most);
    value = static_cast<std::int64_t>(number);
    return count > 0 && count <= most && (*begin != '0' || count == 1);
}

bool scan_decimal(const char*& at, float& value) {
    static constexpr double scale[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    // Maximum number of digits for which the integer and the power of ten are exact as doubles.
    constexpr unsigned most = 15;
    const bool negative = *at == '-';
    at += negative;
    std::uint64_t number = 0;
    const unsigned whole = append_digits(at, number, most);
    if (whole == 0 || whole > most) return false;
    unsigned fraction = 0;
    if (*at == '.') {
        ++at;
        fraction = append_digits(at, number, most - whole);
        if (fraction == 0 || whole + fraction > most) return false;
    }
    // The quotient of two exact doubles is the double nearest to the decimal number. Rounding it to a float
    // gives the float nearest to the decimal number, unless the double lies (almost) at the midpoint between
    // two floats.
    const double wide = static_cast<double>(number) / scale[fraction];
    constexpr std::uint64_t below = (std::uint64_t{1} << 29) - 1, middle = std::uint64_t{1} << 28;
    const std::uint64_t distance = (std::bit_cast<std::uint64_t>(wide) & below) - middle + 1;
    if (distance <= 2) return false;
    value = static_cast<float>(negative ? -wide : wide);
    return true;
}

EdgeScanner::EdgeScanner(const Columns& columns, std::string_view delimiter, float least)
    : delimiter_(delimiter),
      count_(columns.count),
      // A delimiter with other characters might be a part of a number or of a line end.
      usable_(delimiter.empty() || delimiter.find_first_not_of(",;|:\t") == std::string_view::npos),
      least_(least) {
    roles_[columns.row] = Role::row;
    roles_[columns.col] = Role::col;
    if (columns.value) roles_[*columns.value] = Role::value;
    if (columns.time) roles_[*columns.time] = Role::time;
}

bool EdgeScanner::scan_delimiter(const char*& at) const {
    if (delimiter_.empty()) {
        if (!is_blank(*at)) return false;
        while (is_blank(*at)) ++at;
        return true;
    }
    for (const char c : delimiter_) {
        if (*at != c) return false;
        ++at;
    }
    return true;
}

/// Skips a field whose column is not used. Returns false if the field has quotes or control characters or is
/// empty; the general path then reads the line.
bool EdgeScanner::skip_field(const char*& at) const {
    const char* const begin = at;
    const auto plain = [&](char c) {
        return static_cast<unsigned char>(c) > ' ' && c != '"' && (delimiter_.empty() || c != delimiter_[0]);
    };
    while (plain(*at)) ++at;
    return at != begin;
}

std::size_t EdgeScanner::scan(std::string_view text, Edge& edge) const {
    if (!usable_) return 0;
    const char* at = text.data();
    edge.value = 1;
    for (std::size_t i = 0; i < count_; ++i) {
        if (i > 0 && !scan_delimiter(at)) return 0;
        bool found = false;
        switch (roles_[i]) {
            case Role::row:
                found = scan_integer(at, edge.row);
                break;
            case Role::col:
                found = scan_integer(at, edge.col);
                break;
            case Role::value:
                found = scan_decimal(at, edge.value) && edge.value >= least_;
                break;
            case Role::time:
                found = scan_integer(at, edge.time);
                break;
            default:
                found = skip_field(at);
                break;
        }
        if (!found) return 0;
    }
    while (*at == ' ' || (*at == '\t' && delimiter_ != "\t")) ++at;
    at += *at == '\r';
    if (*at != '\n') return 0;
    const auto size = static_cast<std::size_t>(at + 1 - text.data());
    return size <= Lines::max_line ? size : 0;
}

}  // namespace lockstep::readers
