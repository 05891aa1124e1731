#include "zip_end.hpp"

namespace lockstep::readers {

std::optional<std::uint64_t> zip_entries(std::string_view tail) {
    constexpr std::size_t bytes = 22, entries = 10, comment = 20;  // of the record; places in it
    const auto number_at = [&](std::size_t at) {
        return static_cast<unsigned char>(tail[at]) + 256U * static_cast<unsigned char>(tail[at + 1]);
    };
    if (tail.size() < bytes) return std::nullopt;
    for (std::size_t at = tail.size() - bytes;; --at) {
        at = tail.rfind("PK\5\6", at);
        if (at == std::string_view::npos) return std::nullopt;
        if (at + bytes + number_at(at + comment) == tail.size()) return number_at(at + entries);
        if (at == 0) return std::nullopt;
    }
}

}  // namespace lockstep::readers
