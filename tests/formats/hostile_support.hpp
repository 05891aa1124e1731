// A valid schedule file, and the path for a hostile file that is made from it.
#pragma once

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "sample_file.hpp"

namespace lockstep::test {

struct HostileFiles {
    TemporaryFolder folder;
    std::filesystem::path good = folder / "good.h5", bad = folder / "bad.h5";
    HostileFiles() {
        const Dataset d = sample_dataset();
        write_schedule_file(good, d, sample_schedules(d.graph), {});
    }
    void refused(const std::string& message) const {
        CHECK_THROWS_AS(read_schedule_file(bad), FormatError);
        CHECK_THROWS_WITH(read_schedule_file(bad), Catch::Contains(message) && Catch::Contains("bad.h5: "));
    }
};

}  // namespace lockstep::test
