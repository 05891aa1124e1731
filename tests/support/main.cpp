// The main function of every test program (Catch2 2 and 3).
#define CATCH_CONFIG_RUNNER
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#include <catch2/catch.hpp>
#endif
#include "support.hpp"

int main(int argc, char** argv) {
    const int failed = Catch::Session().run(argc, argv);
    return failed == 0 && lockstep::test::skipped() ? 77 : failed;
}
