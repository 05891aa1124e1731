#include "apps/update/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lockstep/formats/error.hpp"

namespace lockstep::update {

namespace {

template <class T>
bool store_as(long double value, std::byte* to) {
    T number{};
    if constexpr (std::is_floating_point_v<T>) {
        number = static_cast<T>(value);
        if (std::isfinite(value) && !std::isfinite(number)) return false;
    } else {
        // compares with 2^64 or 2^63, which are exact in a long double; the largest integers below them may
        // not be
        constexpr int bits = std::numeric_limits<T>::digits;
        const long double end = std::ldexp(1.0L, bits), begin = std::is_signed_v<T> ? -end : 0;
        if (!(value >= begin && value < end) || std::floor(value) != value) return false;
        number = static_cast<T>(value);
    }
    std::memcpy(to, &number, sizeof number);
    return true;
}

bool fits_field(const Number& number, const Field& field) {
    return number.offset >= field.offset && number.offset + number.bytes <= field.offset + field.bytes;
}

/// Converts a text to a number. For a float of at most 8 bytes, the text is converted to a double directly,
/// because rounding to long double first could give another result.
long double value_for(const Number& number, const std::string& text) {
    return number.kind == 'f' && number.bytes <= sizeof(double) ? std::strtod(text.c_str(), nullptr)
                                                                : std::strtold(text.c_str(), nullptr);
}

}  // namespace

std::string type_name(const Number& number) {
    const char* const kind = number.kind == 'f'   ? "float"
                             : number.kind == 'i' ? "int"
                             : number.kind == 'u' ? "uint"
                                                  : nullptr;
    if (kind) return fmt::format("{}{}", kind, 8 * number.bytes);
    return number.kind == 'b' ? "bool" : fmt::format("not a number ({} bytes)", number.bytes);
}

const Field* find_field(const Layout& layout, const std::string& name) {
    for (int i = 0; i < layout.fields; ++i)
        if (layout.field[i].name == name) return &layout.field[i];
    return nullptr;
}

std::span<const Number> numbers_of(const Layout& layout, const Field& field) {
    const Number* const end = layout.number + layout.numbers;
    const Number* first = layout.number;
    while (first < end && !fits_field(*first, field)) ++first;
    const Number* last = first;
    while (last < end && fits_field(*last, field)) ++last;
    return {first, last};
}

std::string field_list(const Layout& layout) {
    std::string text;
    const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
    std::size_t named = 0;
    // visits the fields in the order of their offsets
    for (int at = 0; at < static_cast<int>(layout.bytes); ++at) {
        for (int i = 0; i < layout.fields; ++i) {
            const Field& field = layout.field[i];
            if (field.offset != at) continue;
            const auto numbers = numbers_of(layout, field);
            named += numbers.size();
            if (numbers.empty())
                add(field.name);
            else if (numbers.size() == 1)
                add(fmt::format("{} {}", type_name(numbers[0]), field.name));
            else
                add(fmt::format("{} {}[{}]", type_name(numbers[0]), field.name, numbers.size()));
        }
    }
    if (named == static_cast<std::size_t>(layout.numbers)) return text.empty() ? "no field" : text;
    text.clear();
    for (int i = 0; i < layout.numbers; ++i) add(type_name(layout.number[i]));
    return text;
}

bool store(const Number& number, long double value, std::byte* to) {
    to += number.offset;
    switch (number.kind) {
        case 'b':
            return (value == 0 || value == 1) && store_as<std::uint8_t>(value, to);
        case 'f':
            return number.bytes == sizeof(float)         ? store_as<float>(value, to)
                   : number.bytes == sizeof(double)      ? store_as<double>(value, to)
                   : number.bytes == sizeof(long double) ? store_as<long double>(value, to)
                                                         : false;
        case 'i':
            return number.bytes == 1   ? store_as<std::int8_t>(value, to)
                   : number.bytes == 2 ? store_as<std::int16_t>(value, to)
                   : number.bytes == 4 ? store_as<std::int32_t>(value, to)
                                       : number.bytes == 8 && store_as<std::int64_t>(value, to);
        case 'u':
            return number.bytes == 1   ? store_as<std::uint8_t>(value, to)
                   : number.bytes == 2 ? store_as<std::uint16_t>(value, to)
                   : number.bytes == 4 ? store_as<std::uint32_t>(value, to)
                                       : number.bytes == 8 && store_as<std::uint64_t>(value, to);
        default:
            return false;
    }
}

std::string Setting::value() const {
    const double number = std::strtod(text.c_str(), nullptr);
    const long double exact = std::strtold(text.c_str(), nullptr);
    return std::floor(exact) == exact && std::isfinite(exact) && number != exact ? text
                                                                                 : fmt::format("{}", number);
}

void set_parameters(const std::vector<Setting>& settings, const Layout& layout, const Source& source,
                    std::byte* to) {
    for (const auto& [name, text] : settings) {
        const Field* const field = find_field(layout, name);
        if (!field)
            throw FormatError(source.path,
                              fmt::format("--set: the Parameters of {} have no field {}; the fields are {}",
                                          source.name, name, field_list(layout)));
        const auto numbers = numbers_of(layout, *field);
        if (numbers.size() != 1 || numbers[0].kind == 'V')
            throw Error(Failure::usage, fmt::format("--set {}={}: the field {} of {} is not one number", name,
                                                    text, name, source.name));
        const long double value = value_for(numbers[0], text);
        const bool overflows = std::isinf(value) && text.find_first_of("0123456789") != std::string::npos;
        if (overflows || !store(numbers[0], value, to))
            throw Error(Failure::usage,
                        fmt::format("--set {}={}: {} is {} in {}, which cannot hold that value", name, text,
                                    name, type_name(numbers[0]), source.name));
    }
}

}  // namespace lockstep::update
