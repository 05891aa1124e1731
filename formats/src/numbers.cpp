#include "lockstep/formats/numbers.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "lockstep/formats/error.hpp"

namespace lockstep {

EdgeId size_of(const std::string& option, const std::string& word) {
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const std::string unit(end, static_cast<const char*>(word.data() + word.size()));
    double scale = 0;
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{{"", 1},
                                                                                           {"K", 1e3},
                                                                                           {"KB", 1e3},
                                                                                           {"M", 1e6},
                                                                                           {"MB", 1e6},
                                                                                           {"G", 1e9},
                                                                                           {"GB", 1e9},
                                                                                           {"T", 1e12},
                                                                                           {"TB", 1e12}}) {
        if (unit == name) scale = value;
    }
    const double bytes = number * scale;
    if (error != std::errc() || !(bytes >= 1 && bytes < 1e18)) {
        throw UsageError(fmt::format("--{} {}: expected a size such as 8G or 512M", option, word));
    }
    return static_cast<EdgeId>(bytes);
}

}  // namespace lockstep
