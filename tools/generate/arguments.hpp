// Access to the options of lockstep-generate by name.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "cli.hpp"

namespace lockstep::generate {

/// Maximum number of vertices per side: the largest number of vertices that the 32-bit IDs of binary triples
/// can distinguish.
inline constexpr VertexId most_vertices = std::numeric_limits<std::int32_t>::max();

class Arguments {
public:
    explicit Arguments(const cli::Values& values) : values_(values) {}

    bool has(const std::string& name) const { return values_.count(name) > 0; }
    template <class T>
    T value(const std::string& name) const {
        if (!has(name)) throw cli::UsageError(fmt::format("--{} is missing", name));
        return values_[name].as<T>();
    }
    template <class T>
    T value(const std::string& name, T otherwise) const {
        return has(name) ? values_[name].as<T>() : otherwise;
    }
    std::string text(const std::string& name) const { return value<std::string>(name); }
    VertexId vertices(const std::string& name) const { return value<VertexId>(name); }
    /// Returns a number whose bounds depend on the kind of graph. Throws UsageError if it is out of bounds.
    template <class T>
    T within(const std::string& name, T low, T high) const {
        const std::string given = text(name);
        const auto number = cli::parse_number<T>(given, low, high);
        if (!number)
            throw cli::UsageError(fmt::format("--{} takes {} to {}, not {}", name, low, high, given));
        return *number;
    }
    /// Parses "none" or "LOW..HIGH". Throws UsageError.
    std::optional<std::pair<double, double>> range(const std::string& name) const {
        if (!has(name) || text(name) == "none") return std::nullopt;
        constexpr double large = 1e9;
        const std::string given = text(name);
        if (const std::size_t dots = given.find(".."); dots != given.npos) {
            const auto low = cli::parse_number<double>(given.substr(0, dots), -large, large),
                       high = cli::parse_number<double>(given.substr(dots + 2), -large, large);
            if (low && high && *low < *high) return std::pair(*low, *high);
        }
        throw cli::UsageError(fmt::format("--{} takes none or a range such as 1..5, not {}", name, given));
    }

private:
    const cli::Values& values_;
};

}  // namespace lockstep::generate
