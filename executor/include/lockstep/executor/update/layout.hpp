// Finds the layout of a struct of a user-defined update at run time: the type and the offset of every number
// in it, and the names of its fields. C++20 cannot list the fields of a struct. The numbers are found by
// initializing the struct with objects that convert to any type of number and record this type. The names are
// found by trying all identifiers of the user's file as names of fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace lockstep::update {

/// A number in a struct. Each element of an array, and each field of a nested struct, is a number of its own.
struct Number {
    /// kind letter as in NumPy: 'f' float, 'i', 'u' integers, 'b' bool; 'V': not a number, e.g. a pointer
    char kind = 'V';
    std::uint8_t bytes = 0;
    std::uint16_t offset = 0;  ///< offset from the start of the struct in bytes
};

template <class T>
constexpr Number number_of() {
    Number number{'V', sizeof(T), 0};
    if constexpr (std::is_enum_v<T>) return number_of<std::underlying_type_t<T>>();
    if constexpr (std::is_same_v<T, bool>)
        number.kind = 'b';
    else if constexpr (std::is_floating_point_v<T>)
        number.kind = 'f';
    else if constexpr (std::is_integral_v<T>)
        number.kind = std::is_signed_v<T> ? 'i' : 'u';
    return number;
}

struct Field {
    const char* name = nullptr;
    std::uint16_t offset = 0, bytes = 0;
};

/// The layout of one struct, which has at most 128 bytes.
struct Layout {
    static constexpr int capacity = 128;
    std::size_t bytes = 0;  ///< size of the struct; 0: the struct is empty or does not exist
    int numbers = 0;        ///< number of numbers; 0 if their types are unknown
    int fields = 0;
    Number number[capacity];
    Field field[capacity];
};

namespace detail {

/// Sets the padding bytes between the fields to 0, if the compiler supports it.
template <class S>
void clear_padding([[maybe_unused]] S* state) {
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(state);
#endif
}

/// An object that converts to a number of any type, and records the type. All bits of the number are 1 if
/// `marked`, and 0 otherwise.
struct NumberOfAnyType {
    Number* type;
    bool marked;

    template <class T>
    requires(!std::is_class_v<T> && !std::is_union_v<T>) operator T() const {  // NOLINT: implicit by purpose
        *type = number_of<T>();
        T value{};
        if (!marked) return value;
        if constexpr (std::is_same_v<T, bool>)
            value = true;
        else
            std::memset(&value, 0xff, sizeof value);
        return value;
    }
};

/// Returns true if an aggregate can be initialized from sizeof...(i) numbers.
template <class S, std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
    return requires { S{NumberOfAnyType{nullptr, i == 0}...}; };
}
/// Returns how many numbers an aggregate contains, by a binary search in [low, high).
template <class S, std::size_t low, std::size_t high>
constexpr std::size_t count_numbers() {
    if constexpr (low + 1 == high) {
        return low;
    } else {
        constexpr std::size_t middle = (low + high) / 2;
        if constexpr (takes<S>(std::make_index_sequence<middle>()))
            return count_numbers<S, middle, high>();
        else
            return count_numbers<S, low, middle>();
    }
}

/// Finds the types and the offsets of all numbers. The offset of a number is the first byte that changes with
/// it.
template <class S, std::size_t... i>
void find_numbers(Layout& layout, std::index_sequence<i...>) {
    const auto fill = [&](std::byte* bytes, std::size_t marked) {
        std::memset(bytes, 0, sizeof(S));
        clear_padding(::new (bytes) S{NumberOfAnyType{&layout.number[i], i == marked}...});
    };
    alignas(S) std::byte none[sizeof(S)], one[sizeof(S)];
    std::uint16_t offsets[sizeof...(i)];
    fill(none, sizeof...(i));
    for (std::size_t n = 0; n < sizeof...(i); ++n) {
        fill(one, n);
        offsets[n] = 0;
        while (offsets[n] + 1U < sizeof(S) && one[offsets[n]] == none[offsets[n]]) ++offsets[n];
    }
    for (std::size_t n = 0; n < sizeof...(i); ++n) layout.number[n].offset = offsets[n];
    layout.numbers = sizeof...(i);
}

}  // namespace detail

/// Collects the fields of S from their pointers to member.
template <class S>
class Fields {
public:
    explicit Fields(Layout& layout) : layout_(layout) {}

    template <class M, class Base>
    requires(!std::is_function_v<M>) void add(const char* name, M Base::*member) {
        if (layout_.fields == Layout::capacity) return;
        alignas(S) static const std::byte storage[sizeof(S)]{};
        const auto* const at =
            reinterpret_cast<const std::byte*>(&(reinterpret_cast<const S*>(storage)->*member));
        const auto offset = static_cast<std::uint16_t>(at - storage);
        layout_.field[layout_.fields++] = {name, offset, sizeof(M)};
        if constexpr (!std::is_aggregate_v<S>)
            add_numbers(number_of<std::remove_all_extents_t<M>>(), offset, sizeof(M));
    }

private:
    /// Adds the numbers of one field, if the struct is not an aggregate.
    void add_numbers(Number type, std::uint16_t offset, std::size_t bytes) {
        for (std::size_t at = 0; at < bytes && layout_.numbers < Layout::capacity; at += type.bytes) {
            type.offset = static_cast<std::uint16_t>(offset + at);
            layout_.number[layout_.numbers++] = type;
        }
    }
    Layout& layout_;
};

/// Fills in the layout of the struct S. `Names::list(Fields<S>&)` must add its fields.
template <class S, class Names>
void find_layout(Layout& layout) {
    if constexpr (!std::is_empty_v<S>) {
        layout.bytes = sizeof(S);
        if constexpr (std::is_aggregate_v<S>) {
            constexpr std::size_t numbers = detail::count_numbers<S, 0, sizeof(S) + 1>();
            if constexpr (numbers > 0) detail::find_numbers<S>(layout, std::make_index_sequence<numbers>());
        }
        Fields<S> fields(layout);
        Names::list(fields);
    }
}

}  // namespace lockstep::update
