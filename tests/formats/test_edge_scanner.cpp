// Compares the fast scanner of usual lines, and its numbers, with the general parser.
#include "../../formats/src/readers/edge_scanner.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <random>

#include "catch.hpp"
#include "lockstep/formats/id_map.hpp"

using namespace lockstep;

TEST_CASE("scanned decimals are those of from_chars, bit for bit") {
    std::mt19937_64 random(11);
    std::size_t taken = 0;
    const auto check = [&](const std::string& token) {
        const std::string text = token + std::string(readers::TextBlock::margin, '\0');
        const char* at = text.data();
        float scanned = 0;
        if (!readers::scan_decimal(at, scanned)) return;
        ++taken;
        // The scanner stops at the end of the text that it reads as a number. In "1e5" it stops at the 'e',
        // where from_chars would continue; such a line is left to the general parser.
        float expected = 0;
        const auto result = std::from_chars(text.data(), at, expected);
        INFO(token);
        REQUIRE(result.ec == std::errc());
        REQUIRE(result.ptr == at);
        REQUIRE(std::memcmp(&scanned, &expected, sizeof scanned) == 0);
    };
    for (const char* token :
         {"0", "-0", "0.0", "00.50", "3.5", "-2.25", "5.", ".5", "-", "", "1e5", "16777217",
          "16777216.99999999", "999999999999999", "9999999999999999", "0.00000000000001"}) {
        check(token);
    }
    for (int i = 0; i < 100000; ++i) {
        std::string digits = std::to_string(random() >> (random() % 64));
        if (random() % 8)
            digits.insert(digits.begin() + static_cast<std::ptrdiff_t>(random() % digits.size() + 1), '.');
        check((random() % 4 ? "" : "-") + digits);
        // The midpoint between two floats, printed exactly if it has few digits, and its neighbours.
        const float low = std::ldexp(static_cast<float>((1 << 23) + random() % (1 << 23)),
                                     -static_cast<int>(random() % 30));
        const double middle = (static_cast<double>(low) + std::nextafter(low, HUGE_VALF)) / 2;
        char text[64];
        for (const double d : {middle, std::nextafter(middle, 0), std::nextafter(middle, HUGE_VAL)}) {
            check({text, std::to_chars(text, text + sizeof text, d, std::chars_format::fixed).ptr});
            check({text, std::to_chars(text, text + sizeof text, d, std::chars_format::fixed,
                                       static_cast<int>(random() % 8))
                             .ptr});
        }
    }
    CHECK(taken > 160000);
}

TEST_CASE("scanned ids are canonical integers") {
    std::mt19937_64 random(12);
    const auto check = [](const std::string& digits) {
        const std::string text = digits + std::string(readers::TextBlock::margin, '\0');
        const char* at = text.data();
        std::int64_t scanned = 0;
        if (readers::scan_integer(at, scanned)) {
            INFO(digits);
            REQUIRE(canonical_integer(std::string_view(text.data(), at)) == scanned);
            return true;
        }
        return false;
    };
    CHECK(check("0"));
    CHECK(check("999999999999999999"));
    CHECK_FALSE(check("1000000000000000000"));
    CHECK_FALSE(check("99999999999999999999999999999999999999"));
    for (const char* text : {"", "00", "01", "-1", "+1", "x", "/", ":"}) CHECK_FALSE(check(text));
    for (int i = 0; i < 100000; ++i) {
        const std::string digits = std::to_string(random() >> (5 + random() % 59));
        REQUIRE(check(digits) == (digits.size() <= 18));
        check(digits + static_cast<char>(random() % 255 + 1) + "12");
    }
}

TEST_CASE("a scanned line is what the general way makes of it") {
    struct Case {
        readers::Columns columns;
        std::string delimiter, alphabet;
    };
    const std::vector<Case> cases{
        {{.count = 2}, "", " \t0123456789.-#\r\"x\1"},
        {{.count = 3, .value = 2}, "", "  \t00125.5-+\r\"x"},
        {{.count = 3, .row = 2, .col = 0, .value = 1}, ",", ",,, 0125..-\r\"x\t"},
        {{.count = 4, .value = 2}, "\t", "\t\t\t\t 0125..-\r\"x"},
        {{.count = 4, .value = 2}, "::", ":::::: 0125..-\r\"x\t"},
        {{.count = 3, .row = 1, .col = 2}, ";", ";;;; 0125..-\r\"x\t,"},
        {{.count = 2}, "5", "0125. \r"},
    };
    std::mt19937_64 random(13);
    for (const Case& c : cases) {
        const readers::EdgeScanner fast(c.columns, c.delimiter, false);
        std::size_t taken = 0;
        for (int i = 0; i < 100000; ++i) {
            std::string line;
            if (i % 2) {  // a valid line, which is then damaged
                for (std::size_t f = 0; f < c.columns.count; ++f) {
                    if (f > 0)
                        line += c.delimiter.empty() ? std::string(1 + random() % 2, " \t"[random() % 2])
                                                    : c.delimiter;
                    line += std::to_string(random() >> (24 + random() % 40));
                    if (random() % 3 == 0 && f == c.columns.value)
                        line += "." + std::to_string(random() % 1000);
                }
                if (random() % 4 == 0) line += "\r";
                if (random() % 2) line[random() % line.size()] = c.alphabet[random() % c.alphabet.size()];
                if (random() % 4 == 0)
                    line.insert(random() % (line.size() + 1), 1, c.alphabet[random() % c.alphabet.size()]);
            } else {
                for (std::size_t n = random() % 12; n > 0; --n)
                    line += c.alphabet[random() % c.alphabet.size()];
            }
            readers::TextBlock block;
            const std::string bytes = line + "\n1 2 3\n" + std::string(readers::TextBlock::margin, '\0');
            block.text = std::string_view(bytes).substr(0, line.size() + 7);
            block.lines_before = 5;
            readers::EdgeScanner::Edge edge{};
            const std::size_t size = fast.scan(block.text, edge);
            if (size == 0) continue;
            ++taken;
            INFO('"' << line << "\" with \"" << c.delimiter << '"');
            REQUIRE(size == line.size() + 1);
            const std::string name = "a";
            readers::Lines lines(name, block);
            std::string_view text;
            REQUIRE(lines.next(text));
            text = readers::trim(text);
            readers::Fields fields;
            readers::split(text, c.delimiter, fields);
            REQUIRE(text.find('"') == std::string_view::npos);
            REQUIRE_FALSE((text[0] == '#' || text[0] == '%'));
            REQUIRE(fields.size() == c.columns.count);
            REQUIRE(canonical_integer(fields[c.columns.row]) == edge.row);
            REQUIRE(canonical_integer(fields[c.columns.col]) == edge.col);
            const float value = c.columns.value ? readers::weight_of(fields[*c.columns.value]).value() : 1.0F;
            REQUIRE(std::memcmp(&value, &edge.value, sizeof value) == 0);
        }
        CHECK((c.delimiter == "5" ? taken == 0 : taken > 2500));
    }
}
