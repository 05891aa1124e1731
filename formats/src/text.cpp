#include "lockstep/formats/text.hpp"

#include <fmt/format.h>

#include "lockstep/formats/error.hpp"
#include "readers/tokenizer.hpp"

namespace lockstep {

namespace text {

std::string group_digits(EdgeId value) {
    std::string digits = std::to_string(value);
    for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3)
        digits.insert(static_cast<std::size_t>(i), ",");
    return digits;
}

std::string bytes(double value) {
    const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    while (value >= 1000 && unit < 5) value /= 1000, ++unit;
    return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

std::string duration(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.1f} µs", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
    return fmt::format("{:.2f} s", seconds);
}

std::string escaped_json(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto byte = static_cast<unsigned char>(json[i]);
        const bool c1 = byte == 0xC2 && i + 1 < json.size() && static_cast<unsigned char>(json[i + 1]) < 0xA0;
        if (c1)
            safe += fmt::format("\\u{:04x}", static_cast<unsigned char>(json[++i]));
        else if (byte == 0x7F)
            safe += "\\u007f";
        else
            safe += json[i];
    }
    return safe;
}

}  // namespace text

void readers::for_each_line(InputFile& file,
                            const std::function<void(std::uint64_t, std::string_view)>& use) {
    Input input(file);
    LineReader lines(input);
    for (std::string_view line; lines.next(line);) use(lines.number(), line);
    input.finish();
    if (lines.number() == 0) throw FormatError(input.name(), "is empty");
}

}  // namespace lockstep
