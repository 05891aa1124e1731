// Helpers of the tests that run programs.
#pragma once

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "support.hpp"

namespace lockstep::test {

/// Checks that a command ends with this exit code, an error message that contains `words`, and no output.
template <class... Parts>
void refused(int code, const std::string& words, const Parts&... command) {
    const ProgramResult result = run_program(command...);
    INFO(result.err);
    CHECK(result.code == code);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::Contains(words));
}

/// Checks that a command is refused as wrong usage (exit code 2).
template <class... Parts>
void refused(const std::string& words, const Parts&... command) {
    refused(2, words, command...);
}

/// Runs a program of this build, which must succeed, and returns its result.
template <class... Parts>
ProgramResult done(const Parts&... command) {
    const ProgramResult result = run_program(command...);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return result;
}

/// Returns the JSON that a successful program has printed.
inline nlohmann::json parsed(const ProgramResult& result) {
    INFO(result.err);
    REQUIRE(result.code == 0);
    return nlohmann::json::parse(result.out);
}
template <class... Parts>
nlohmann::json parsed(const Parts&... command) {
    return parsed(run_program(command...));
}

/// Sets the width of the programs' output during its lifetime.
struct Columns {
    explicit Columns(const char* columns) { setenv("COLUMNS", columns, 1); }
    ~Columns() { unsetenv("COLUMNS"); }
};

/// Checks that every value of `expected` is at the same place in `found`.
inline void check_holds(const nlohmann::json& found, const nlohmann::json& expected) {
    INFO(found);
    const nlohmann::json flat = expected.flatten();
    for (const auto& value : flat.items()) {
        INFO(value.key());
        const nlohmann::json::json_pointer at(value.key());
        REQUIRE(found.contains(at));
        CHECK(found.at(at) == value.value());
    }
}

}  // namespace lockstep::test
