// Assertion that the verifier found no fault in a schedule.
#pragma once

#include "catch.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/verify.hpp"
#include "support.hpp"

namespace lockstep::test {

/// Fails with the first problem that the verification contains.
inline void require_verified(const Verification& v) {
    INFO((v.problems.empty() ? "" : v.problems[0]));
    REQUIRE(v.ok());
}

}  // namespace lockstep::test
