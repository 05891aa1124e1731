// The options of lockstep-generate by name, read with their bounds.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "cli.hpp"

namespace lockstep::generate {

/// Most vertices of a side: what the 32-bit ids of binary triples can name.
inline constexpr std::uint64_t most_vertices = std::numeric_limits<std::int32_t>::max();

class Arguments {
public:
    explicit Arguments(const cli::Values& values) : values_(values) {}

    bool has(const std::string& name) const { return values_.count(name) > 0; }
    const std::string& text(const std::string& name) const {
        if (!has(name)) throw cli::UsageError(fmt::format("--{} is missing", name));
        return values_[name].as<std::string>();
    }
    /// A number in [low, high]; without `otherwise` the option has to be there.
    template <class T>
    T number(const std::string& name, T low, T high,
             std::optional<std::type_identity_t<T>> otherwise = {}) const {
        if (!has(name) && otherwise) return *otherwise;
        const std::string& given = text(name);
        const std::optional<T> value = parse<T>(given);
        // Written so that a NaN is refused too.
        if (!value || !(*value >= low && *value <= high)) {
            throw cli::UsageError(
                fmt::format("--{} {}: expected a number from {} to {}", name, given, low, high));
        }
        return *value;
    }
    VertexId vertices(const std::string& name) const {
        return static_cast<VertexId>(number<std::uint64_t>(name, 1, most_vertices));
    }
    /// "none" or "LOW..HIGH".
    std::optional<std::pair<double, double>> range(const std::string& name) const {
        if (!has(name) || text(name) == "none") return std::nullopt;
        const std::string& given = text(name);
        const std::size_t dots = given.find("..");
        if (dots != std::string::npos) {
            const auto low = parse<double>(given.substr(0, dots)),
                       high = parse<double>(given.substr(dots + 2));
            if (low && high && *low < *high) return std::pair(*low, *high);
        }
        throw cli::UsageError(fmt::format("--{} {}: expected none or a range such as 1..5", name, given));
    }

private:
    template <class T>
    static std::optional<T> parse(const std::string& text) {
        T value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
        return value;
    }
    const cli::Values& values_;
};

}  // namespace lockstep::generate
