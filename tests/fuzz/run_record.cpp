// Fuzzes the parser of run records: JSON lines to which any program may have appended.
#include "lockstep/formats/run_record.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    fuzz::try_to([&] {
        for (const RunRecord& record :
             parse_run_records({reinterpret_cast<const char*>(data), size}, "input.jsonl"))
            for (const SweepRecord& sweep : record.sweeps) sweep.metric("rmse_train");
    });
    return 0;
}
