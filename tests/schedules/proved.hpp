// What the checker must have found nothing wrong with.
#pragma once

#include "catch.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/verify.hpp"
#include "support.hpp"

namespace lockstep::test {

/// Fails with the first problem that was found.
inline void require_proved(const Verification& v) {
    INFO((v.problems.empty() ? "" : v.problems[0]));
    REQUIRE(v.ok());
}

}  // namespace lockstep::test
