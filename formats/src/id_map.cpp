#include "lockstep/formats/id_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/formats/numbers.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // needed by clang 14; C++20 compilers deduce this themselves

}  // namespace

VertexId IdMap::size() const {
    return std::visit(Overloaded{
                          [](const RangeIds& r) { return r.size; },
                          [](const IntegerIds& i) { return static_cast<VertexId>(i.ids.size()); },
                          [](const StringIds& s) { return static_cast<VertexId>(s.offsets.size() - 1); },
                      },
                      ids_);
}

std::string IdMap::name(VertexId vertex) const {
    return std::visit(Overloaded{
                          [&](const RangeIds& r) { return std::to_string(r.base + std::int64_t{vertex}); },
                          [&](const IntegerIds& i) { return std::to_string(i.ids[vertex]); },
                          [&](const StringIds& s) { return std::string(s.id(vertex)); },
                      },
                      ids_);
}

std::optional<VertexId> IdMap::find(std::string_view id) const {
    if (const auto* strings = std::get_if<StringIds>(&ids_)) {
        std::size_t low = 0, high = strings->offsets.size() - 1;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (strings->id(middle) < id)
                low = middle + 1;
            else
                high = middle;
        }
        if (low + 1 == strings->offsets.size() || strings->id(low) != id) return std::nullopt;
        return static_cast<VertexId>(low);
    }
    const auto integer = canonical_integer(id);
    if (!integer) return std::nullopt;
    if (const auto* range = std::get_if<RangeIds>(&ids_)) {
        // Computed with unsigned integers, since the difference of two IDs may exceed the range of int64.
        const auto distance = static_cast<std::uint64_t>(*integer) - static_cast<std::uint64_t>(range->base);
        if (*integer < range->base || distance >= range->size) return std::nullopt;
        return static_cast<VertexId>(distance);
    }
    const auto& ids = std::get<IntegerIds>(ids_).ids;
    const auto at = std::lower_bound(ids.begin(), ids.end(), *integer);
    if (at == ids.end() || *at != *integer) return std::nullopt;
    return static_cast<VertexId>(at - ids.begin());
}

std::string IdMap::describe() const {
    const VertexId count = size();
    if (count == 0) return "none";
    const std::string first = name(0), last = name(count - 1);
    return std::visit(
        Overloaded{
            [&](const RangeIds&) { return fmt::format("integers {} … {}", first, last); },
            [&](const IntegerIds&) {
                return fmt::format("{} sparse integers {} … {}", text::group_digits(count), first, last);
            },
            [&](const StringIds&) {
                return fmt::format("{} strings \"{}\" … \"{}\"", text::group_digits(count), first, last);
            },
        },
        ids_);
}

IdMap make_integer_ids(std::vector<std::int64_t> ids) {
    if (ids.empty()) return IntegerIds{};
    // Computed with unsigned integers, since the difference of two IDs may exceed the range of int64.
    const auto width = static_cast<std::uint64_t>(ids.back()) - static_cast<std::uint64_t>(ids.front());
    if (width + 1 == ids.size()) return RangeIds{ids.front(), static_cast<VertexId>(ids.size())};
    return IntegerIds{std::move(ids)};
}

std::optional<std::int64_t> canonical_integer(std::string_view token) {
    const std::string_view digits = token.starts_with('-') ? token.substr(1) : token;
    if (digits.empty() || (digits[0] == '0' && token.size() > 1)) return std::nullopt;
    return readers::number<std::int64_t>(token);
}

}  // namespace lockstep
