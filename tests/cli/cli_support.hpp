// Helpers of the tests that run programs.
#pragma once

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "support.hpp"

namespace lockstep::test {

/// A command that ends with this exit code, says these words, and has no result.
template <class... Parts>
void refused(int code, const std::string& words, const Parts&... command) {
    const ProgramResult result = run_program(command...);
    INFO(result.err);
    CHECK(result.code == code);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::Contains(words));
}

/// The same of wrong use.
template <class... Parts>
void refused(const std::string& words, const Parts&... command) {
    refused(2, words, command...);
}

/// What a program of this build did, which must have succeeded.
template <class... Parts>
ProgramResult done(const Parts&... command) {
    const ProgramResult result = run_program(command...);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return result;
}

/// The JSON that it has printed.
inline nlohmann::json parsed(const ProgramResult& result) {
    INFO(result.err);
    REQUIRE(result.code == 0);
    return nlohmann::json::parse(result.out);
}
template <class... Parts>
nlohmann::json parsed(const Parts&... command) {
    return parsed(run_program(command...));
}

/// The width of what programs print, while it lives.
struct Columns {
    explicit Columns(const char* columns) { setenv("COLUMNS", columns, 1); }
    ~Columns() { unsetenv("COLUMNS"); }
};

/// Every key value of `expected` is in `found`, at the same place.
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
